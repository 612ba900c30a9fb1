/// \file What chapter 5 requires of its kernels, second part: one value per warp. Contracts: kernels.hpp.

#include <cmath>
#include "ch05_shuffle/kernels.hpp"
#include "ch05_shuffle/launches.hpp"
#include "ch05_shuffle/warp_checks.hpp"
#include "common/harness/chapter.hpp"
#include "common/harness/work.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch05;

namespace {

template <class T>
using Input = std::vector<T> (*)(unsigned, std::uint64_t);

template <class Operator, class T>
Launch expect_warps(Device& device, const InOutKernel<T>& kernel, Input<T> input, unsigned n,
                    const LaunchShape& shape, const std::string& note = {}) {
  return warpwise::ch05::expect_warps<Operator>(device, kernel, input(n, seed_of(n, shape.block.x)), shape,
                                                note);
}

/// Grids with more blocks than n elements need: a few more, and far more. And n above 2^16.
constexpr struct {
  unsigned n;
  LaunchShape shape;
} other_grids[] = {{0, {.grid = 3, .block = 64}},
                   {33, {.grid = 7, .block = 32}},
                   {1000, {.grid = 300, .block = 32}},
                   {70'001, {.grid = 75, .block = 1024}}};

// Two full warps and an incomplete one: lanes without an element next to lanes with one.
constexpr unsigned ragged_n = 77, ragged_block = 64;

template <class Operator, class T>
void check_warps_result(const InOutKernel<T>& kernel, Input<T> input) {
  for (Device& device : devices())
    for (const auto [n, block] : every_size_and_block())
      expect_warps<Operator>(device, kernel, input, n, thread_for_each(n, block));
  for (Device& device : devices())
    for (const auto& [n, shape] : other_grids) expect_warps<Operator>(device, kernel, input, n, shape);
  under_every_schedule([&](Device& device, const std::string& schedule) {
    expect_warps<Operator>(device, kernel, input, ragged_n, thread_for_each(ragged_n, ragged_block),
                           schedule);
  });
}

/// Five shuffles: one shuffle at most doubles the number of lanes whose values a lane has combined, and
/// 2^5 = 32. Fewer are fine (eight lanes that read a float4 each need three; a vote is not a shuffle).
/// On eight full blocks, and on launches of the result check that the seed draws.
template <class Operator, class T>
void check_warps_technique(const InOutKernel<T>& kernel, Input<T> input) {
  const auto check = [&](unsigned n, unsigned block) {
    auto run = launch_and_work([&] {
      return expect_warps<Operator>(simulated_device(), kernel, input, n, thread_for_each(n, block));
    });
    const Launch& launch = run.launch;
    expect_at_most("shuffles a warp", launch.count(&Counters::shuffles).per_warp(), 5,
                   "each doubles the number of values that a lane has combined: 2^5 = 32");
    expect_registers_only(launch);
    return std::move(run.work);
  };
  expect_shared_out(check(2048, 256), 4.0 * 2048);
  for (const unsigned block : every_block_size)
    for (const unsigned n : some_awkward_sizes(block)) check(n, block);
}

template <class Operator, class T>
void check_warps_safety(const InOutKernel<T>& kernel, Input<T> input) {
  for (const unsigned block : every_block_size)
    for (const unsigned n : {0u, 1u, 31u, 32u, 33u, 2 * block - 1, 3 * block + 17})
      expect_no_findings(
          expect_warps<Operator>(simulated_device(), kernel, input, n, thread_for_each(n, block)));
  under_every_schedule([&](Device& device, const std::string&) {
    expect_no_findings(
        expect_warps<Operator>(device, kernel, input, ragged_n, thread_for_each(ragged_n, ragged_block)));
  });
}

}  // namespace

WARPWISE_CHECK(warp_reduce_sum, result) { check_warps_result<operators::Sum>(warp_reduce_sum, summands); }
WARPWISE_CHECK(warp_reduce_sum, result, "floats that round") {
  for (Device& device : devices()) {
    const Floats values = random_floats(1000, 5);
    expect_close(run_warps(device, warp_reduce_sum, values, 256).out, block_sums(values, 32),
                 block_sum_error_bounds(values, 32, additions_in_a_warp),
                 {.n = 1000, .block = 256, .note = "real floats"});
  }
}
WARPWISE_CHECK(warp_reduce_sum, technique) {
  check_warps_technique<operators::Sum>(warp_reduce_sum, summands);
}
WARPWISE_CHECK(warp_reduce_sum, safety) { check_warps_safety<operators::Sum>(warp_reduce_sum, summands); }

WARPWISE_CHECK(warp_reduce_product, result) {
  check_warps_result<operators::Product>(warp_reduce_product, factors);
}
WARPWISE_CHECK(warp_reduce_product, result, "floats that round") {
  // From 1/2 to 3/2, with either sign, so a product of 32 neither overflows nor vanishes.
  Floats values = random_floats(1000, 5);
  for (float& value : values) value += value < 0 ? -0.5f : 0.5f;
  const std::vector<double> expected = block_reductions<operators::Product>(values, 32);
  // Whatever the order, 31 multiplications, each of which rounds once: |error| <= k u / (1 - k u) |product|,
  // k = 31, u = 2^-24 (Higham, section 3.1; see sum_error_bound). The 32nd is for the reference's own
  // rounding.
  const double u = std::ldexp(1.0, -24), k = 32;
  std::vector<double> bounds;
  for (const double product : expected) bounds.push_back(k * u / (1 - k * u) * std::abs(product));
  for (Device& device : devices())
    expect_close(run_warps(device, warp_reduce_product, values, 256).out, expected, bounds,
                 {.n = 1000, .block = 256, .note = "real floats"});
}
WARPWISE_CHECK(warp_reduce_product, technique) {
  check_warps_technique<operators::Product>(warp_reduce_product, factors);
}
WARPWISE_CHECK(warp_reduce_product, safety) {
  check_warps_safety<operators::Product>(warp_reduce_product, factors);
}

WARPWISE_CHECK(warp_reduce_max, result) {
  check_warps_result<operators::Max>(warp_reduce_max, of_either_sign);
}
WARPWISE_CHECK(warp_reduce_max, technique) {
  check_warps_technique<operators::Max>(warp_reduce_max, of_either_sign);
}
WARPWISE_CHECK(warp_reduce_max, safety) {
  check_warps_safety<operators::Max>(warp_reduce_max, of_either_sign);
}

WARPWISE_CHECK(warp_reduce_min, result) {
  check_warps_result<operators::Min>(warp_reduce_min, of_either_sign);
}
WARPWISE_CHECK(warp_reduce_min, technique) {
  check_warps_technique<operators::Min>(warp_reduce_min, of_either_sign);
}
WARPWISE_CHECK(warp_reduce_min, safety) {
  check_warps_safety<operators::Min>(warp_reduce_min, of_either_sign);
}

WARPWISE_CHECK(warp_reduce_and, result) {
  check_warps_result<operators::LogicalAnd>(warp_reduce_and, many_true);
}
WARPWISE_CHECK(warp_reduce_and, technique) {
  check_warps_technique<operators::LogicalAnd>(warp_reduce_and, many_true);
}
WARPWISE_CHECK(warp_reduce_and, safety) {
  check_warps_safety<operators::LogicalAnd>(warp_reduce_and, many_true);
}

WARPWISE_CHECK(warp_reduce_or, result) { check_warps_result<operators::LogicalOr>(warp_reduce_or, few_bits); }
WARPWISE_CHECK(warp_reduce_or, technique) {
  check_warps_technique<operators::LogicalOr>(warp_reduce_or, few_bits);
}
WARPWISE_CHECK(warp_reduce_or, safety) { check_warps_safety<operators::LogicalOr>(warp_reduce_or, few_bits); }

WARPWISE_CHECK(warp_reduce_bit_and, result) {
  check_warps_result<operators::BitAnd>(warp_reduce_bit_and, many_bits);
}
WARPWISE_CHECK(warp_reduce_bit_and, technique) {
  check_warps_technique<operators::BitAnd>(warp_reduce_bit_and, many_bits);
}
WARPWISE_CHECK(warp_reduce_bit_and, safety) {
  check_warps_safety<operators::BitAnd>(warp_reduce_bit_and, many_bits);
}

WARPWISE_CHECK(warp_reduce_bit_or, result) {
  check_warps_result<operators::BitOr>(warp_reduce_bit_or, few_bits);
}
WARPWISE_CHECK(warp_reduce_bit_or, technique) {
  check_warps_technique<operators::BitOr>(warp_reduce_bit_or, few_bits);
}
WARPWISE_CHECK(warp_reduce_bit_or, safety) {
  check_warps_safety<operators::BitOr>(warp_reduce_bit_or, few_bits);
}
