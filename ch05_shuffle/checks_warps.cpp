/// \file What chapter 5 asks of its kernels, second part: one value a warp. Contracts: kernels.hpp.

#include <cmath>

#include "ch05_shuffle/kernels.hpp"
#include "ch05_shuffle/launches.hpp"
#include "ch05_shuffle/orders.hpp"
#include "ch05_shuffle/readers.hpp"
#include "ch05_shuffle/warp_checks.hpp"
#include "common/harness/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch05;

namespace {

template <class T>
using WarpKernel = Kernel<void(const T*, T*, unsigned)>;
template <class T>
using Input = std::vector<T> (*)(unsigned, std::uint64_t);

template <class Operator, class T>
void expect_warps(Device& device, const WarpKernel<T>& kernel, Input<T> input, unsigned n, unsigned block,
                  const std::string& note = {}) {
  const LaunchShape shape = thread_for_each(n, block);
  const std::vector<T> values = input(n, seed_of(n, block));
  auto expected = block_reductions<Operator>(values, 32);
  expected.resize(warps_of(shape), Operator::template identity<ReferenceType<T>>);
  const auto in = device.upload("in", values);
  const auto out = device.poisoned<T>("out", warps_of(shape));
  device.launch(kernel, shape, in, out, n);
  expect_equal(out, expected, {.n = n, .block = block, .note = note});
}

// Two warps and a ragged third: lanes that have no element next to some that have.
constexpr unsigned ragged_n = 77, ragged_block = 64;

template <class Operator, class T>
void check_warps_result(const WarpKernel<T>& kernel, Input<T> input) {
  for (Device& device : devices())
    for (const unsigned block : block_sizes)
      for (const unsigned n : awkward_sizes(block)) expect_warps<Operator>(device, kernel, input, n, block);
  in_any_order([&](Device& device, const std::string& schedule) {
    expect_warps<Operator>(device, kernel, input, ragged_n, ragged_block, schedule);
  });
}

/// Five shuffles: one shuffle at most doubles the number of lanes whose values a lane has seen, and 2^5 = 32.
/// Fewer are welcome (eight lanes that read a float4 each need three; a vote is no shuffle at all).
template <class T>
void check_warps_technique(const WarpKernel<T>& kernel, Input<T> input) {
  const Launch launch = run_warps(simulated_device(), kernel, input(2048, 1), 256);
  const double warps = warps_of(launch.shape());
  expect_at_most("shuffles a warp", static_cast<double>(launch.counters().shuffles) / warps, 5,
                 "each doubles the number of values that a lane has seen: 2^5 = 32");
  expect_registers_only(launch.counters(), warps);

  constexpr LaunchShape shape{.grid = 2, .block = 64};
  const auto out = simulated_device().poisoned<T>("out", warps_of(shape));
  expect_all_warps_read(shape, input(128, 1), 32, [&](const Buffer<T>& in) {
    return simulated_device().launch(kernel, shape, in, out, 128u);
  });
}

template <class T>
void check_warps_safety(const WarpKernel<T>& kernel, Input<T> input) {
  for (const unsigned block : block_sizes)
    for (const unsigned n : {0u, 1u, 31u, 32u, 33u, 2 * block - 1, 3 * block + 17})
      expect_no_findings(run_warps(simulated_device(), kernel, input(n, seed_of(n, block)), block));
  in_any_order([&](Device& device, const std::string&) {
    expect_no_findings(run_warps(device, kernel, input(ragged_n, 1), ragged_block));
  });
}

}  // namespace

TEST_CASE("warp_reduce_sum: result", "[warp_reduce_sum][result]") {
  check_warps_result<operators::Sum>(warp_reduce_sum, integers);
}
TEST_CASE("warp_reduce_sum: result, floats that round", "[warp_reduce_sum][result]") {
  for (Device& device : devices()) {
    const Floats values = random_floats(1000, 5);
    const LaunchShape shape = thread_for_each(1000, 256);
    const auto in = device.upload("in", values);
    const auto out = device.poisoned<float>("out", warps_of(shape));
    device.launch(warp_reduce_sum, shape, in, out, 1000);
    expect_close(out, block_sums(values, 32), block_sum_error_bounds(values, 32, additions_in_a_warp),
                 {.n = 1000, .block = 256, .note = "real floats"});
  }
}
TEST_CASE("warp_reduce_sum: technique", "[warp_reduce_sum][technique]") {
  check_warps_technique(warp_reduce_sum, integers);
}
TEST_CASE("warp_reduce_sum: safety", "[warp_reduce_sum][safety]") {
  check_warps_safety(warp_reduce_sum, integers);
}

TEST_CASE("warp_reduce_product: result", "[warp_reduce_product][result]") {
  check_warps_result<operators::Product>(warp_reduce_product, factors);
}
TEST_CASE("warp_reduce_product: result, floats that round", "[warp_reduce_product][result]") {
  // From 1/2 to 3/2 and of either sign, so that a product of 32 neither overflows nor vanishes.
  Floats values = random_floats(1000, 5);
  for (float& value : values) value += value < 0 ? -0.5f : 0.5f;
  const std::vector<double> expected = block_reductions<operators::Product>(values, 32);
  // Whatever the order, 31 multiplications, each of which rounds once: |error| <= k u / (1 - k u) |product|,
  // k = 31, u = 2^-24 (Higham, section 3.1; see sum_error_bound). The 32nd is for the reference's own
  // rounding.
  const double u = std::ldexp(1.0, -24), k = 32;
  std::vector<double> bounds;
  for (const double product : expected) bounds.push_back(k * u / (1 - k * u) * std::abs(product));
  for (Device& device : devices()) {
    const LaunchShape shape = thread_for_each(1000, 256);
    const auto in = device.upload("in", values);
    const auto out = device.poisoned<float>("out", warps_of(shape));
    device.launch(warp_reduce_product, shape, in, out, 1000);
    expect_close(out, expected, bounds, {.n = 1000, .block = 256, .note = "real floats"});
  }
}
TEST_CASE("warp_reduce_product: technique", "[warp_reduce_product][technique]") {
  check_warps_technique(warp_reduce_product, factors);
}
TEST_CASE("warp_reduce_product: safety", "[warp_reduce_product][safety]") {
  check_warps_safety(warp_reduce_product, factors);
}

TEST_CASE("warp_reduce_max: result", "[warp_reduce_max][result]") {
  check_warps_result<operators::Max>(warp_reduce_max, negative);
}
TEST_CASE("warp_reduce_max: technique", "[warp_reduce_max][technique]") {
  check_warps_technique(warp_reduce_max, negative);
}
TEST_CASE("warp_reduce_max: safety", "[warp_reduce_max][safety]") {
  check_warps_safety(warp_reduce_max, negative);
}

TEST_CASE("warp_reduce_min: result", "[warp_reduce_min][result]") {
  check_warps_result<operators::Min>(warp_reduce_min, positive);
}
TEST_CASE("warp_reduce_min: technique", "[warp_reduce_min][technique]") {
  check_warps_technique(warp_reduce_min, positive);
}
TEST_CASE("warp_reduce_min: safety", "[warp_reduce_min][safety]") {
  check_warps_safety(warp_reduce_min, positive);
}

TEST_CASE("warp_reduce_and: result", "[warp_reduce_and][result]") {
  check_warps_result<operators::LogicalAnd>(warp_reduce_and, many_true);
}
TEST_CASE("warp_reduce_and: technique", "[warp_reduce_and][technique]") {
  check_warps_technique(warp_reduce_and, many_true);
}
TEST_CASE("warp_reduce_and: safety", "[warp_reduce_and][safety]") {
  check_warps_safety(warp_reduce_and, many_true);
}

TEST_CASE("warp_reduce_or: result", "[warp_reduce_or][result]") {
  check_warps_result<operators::LogicalOr>(warp_reduce_or, few_bits);
}
TEST_CASE("warp_reduce_or: technique", "[warp_reduce_or][technique]") {
  check_warps_technique(warp_reduce_or, few_bits);
}
TEST_CASE("warp_reduce_or: safety", "[warp_reduce_or][safety]") {
  check_warps_safety(warp_reduce_or, few_bits);
}

TEST_CASE("warp_reduce_bit_and: result", "[warp_reduce_bit_and][result]") {
  check_warps_result<operators::BitAnd>(warp_reduce_bit_and, many_bits);
}
TEST_CASE("warp_reduce_bit_and: technique", "[warp_reduce_bit_and][technique]") {
  check_warps_technique(warp_reduce_bit_and, many_bits);
}
TEST_CASE("warp_reduce_bit_and: safety", "[warp_reduce_bit_and][safety]") {
  check_warps_safety(warp_reduce_bit_and, many_bits);
}

TEST_CASE("warp_reduce_bit_or: result", "[warp_reduce_bit_or][result]") {
  check_warps_result<operators::BitOr>(warp_reduce_bit_or, few_bits);
}
TEST_CASE("warp_reduce_bit_or: technique", "[warp_reduce_bit_or][technique]") {
  check_warps_technique(warp_reduce_bit_or, few_bits);
}
TEST_CASE("warp_reduce_bit_or: safety", "[warp_reduce_bit_or][safety]") {
  check_warps_safety(warp_reduce_bit_or, few_bits);
}
