/// \file What chapter 5 requires of its kernels, second part: one value per warp. Contracts: kernels.hpp.

#include <cmath>

#include "ch05_shuffle/checks/launches.hpp"
#include "ch05_shuffle/checks/warp_checks.hpp"
#include "ch05_shuffle/kernels.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch05;

namespace {

// --- Inputs: n elements, drawn by a seed ------------------------------------------------------------------

template <class T>
using Input = std::vector<T> (*)(unsigned n, std::uint64_t seed);
using Words = std::vector<std::uint32_t>;

/// -1, 2 and 1/2: every product of 32 of them is exact, in any order. In some warps a 0, an infinity or NaN.
Floats factors(unsigned n, std::uint64_t seed) {
  Floats values = random_integers(n, seed, 0, 2);
  for (float& value : values) value = value == 0 ? -1.0f : value == 1 ? 2.0f : 0.5f;
  constexpr float specials[] = {0, infinity, not_a_number};
  put_specials(values, seed, [&](unsigned draw) { return specials[draw % 3]; });
  return values;
}
/// For maxima and minima. In some warps all elements are negative, in some all are positive, so a 0 for a
/// missing element would win; elsewhere they have either sign. Some are zeros of either sign, infinities,
/// NaN.
Floats of_either_sign(unsigned n, std::uint64_t seed) {
  Floats values = random_floats(n, seed);
  for (unsigned i = 0; i < n; ++i) {
    const unsigned kind = seed_of(i / 32, seed) % 3;
    if (kind != 0) values[i] += kind == 1 ? 2.0f : -2.0f;
  }
  constexpr float specials[] = {0.0f, -0.0f, infinity, -infinity, not_a_number};
  put_specials(values, seed, [&](unsigned draw) { return specials[draw % 5]; });
  return values;
}
/// A true word: it has one bit, every bit is equally likely, and so two words seldom have the same.
std::uint32_t one_bit(std::uint32_t word) { return 1u << word / 64 % 32; }
/// Bits are rare: about one word in 40 is not 0.
Words few_bits(unsigned n, std::uint64_t seed) {
  Words words = random_words(n, seed);
  for (std::uint32_t& word : words) word = word % 40 == 0 ? one_bit(word) : 0;
  return words;
}
/// About one word in 40 is 0; the others have one bit, or all.
Words many_true(unsigned n, std::uint64_t seed) {
  Words words = random_words(n, seed);
  for (std::uint32_t& word : words) word = word % 40 == 0 ? 0 : word % 7 == 0 ? ~0u : one_bit(word);
  return words;
}
/// About one bit in 64 is 0, so some bits are set in all of 32 words, and some are not.
Words many_bits(unsigned n, std::uint64_t seed) {
  Words words(n, 0);
  for (unsigned draw = 0; draw < 6; ++draw) {
    const Words more = random_words(n, seed_of(seed, draw));
    for (unsigned i = 0; i < n; ++i) words[i] |= more[i];
  }
  return words;
}
/// For pictures: the checks' own values are large, and some are NaN.
Floats small_numbers(unsigned n, std::uint64_t seed) { return random_integers(n, seed); }

// --- Launches and checks ----------------------------------------------------------------------------------

/// For each warp of `shape`, `kernel` writes the exact reduction of the warp's elements of `values`.
template <class Operator, class T>
Launch expect_warps(Device& device, const InOutKernel<T>& kernel, const std::vector<T>& values,
                    const LaunchShape& shape, const std::string& note = {}) {
  auto expected = block_reductions<Operator>(values, 32);
  expected.resize(warps_of(shape), Operator::template identity<ReferenceType<T>>);
  auto [launch, out] = run_in_out(device, kernel, shape, values, warps_of(shape));
  expect_equal(out, expected, case_of(static_cast<unsigned>(values.size()), shape, note));
  return std::move(launch);
}
template <class Operator, class T>
Launch expect_warps(Device& device, const InOutKernel<T>& kernel, Input<T> input, unsigned n,
                    const LaunchShape& shape, const std::string& note = {}) {
  return expect_warps<Operator>(device, kernel, input(n, seed_of(n, shape.block.x)), shape, note);
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
void check_warps_result(Check& check, const InOutKernel<T>& kernel, Input<T> input) {
  for (Device& device : check.devices())
    for (const auto [n, block] : check.sizes())
      expect_warps<Operator>(device, kernel, input, n, thread_for_each(n, block));
  for (Device& device : check.devices())
    for (const auto& [n, shape] : other_grids) expect_warps<Operator>(device, kernel, input, n, shape);
  check.under_every_schedule([&](Device& device, const std::string& schedule) {
    expect_warps<Operator>(device, kernel, input, ragged_n, thread_for_each(ragged_n, ragged_block),
                           schedule);
  });
}

/// Five shuffles: one shuffle at most doubles the number of lanes whose values a lane has combined, and
/// 2^5 = 32. Fewer are fine (eight lanes that read a float4 each need three; a vote is not a shuffle).
/// On eight full blocks, and on launches of the result check that the seed draws.
template <class Operator, class T>
void check_warps_technique(Check& check, const InOutKernel<T>& kernel, Input<T> input) {
  const auto count = [&](unsigned n, unsigned block) {
    auto run = launch_and_work(check.simulated(), [&](Device& device) {
      return expect_warps<Operator>(device, kernel, input, n, thread_for_each(n, block));
    });
    const Launch& launch = run.launch;
    expect_at_most("shuffles per warp", launch.count(&Counters::shuffles).per_warp(), 5,
                   "each doubles the number of values that a lane has combined: 2^5 = 32");
    expect_registers_only(launch);
    return std::move(run.work);
  };
  expect_shared_out(count(2048, 256), 4.0 * 2048);
  for (const unsigned block : check.block_sizes())
    for (const unsigned n : check.some_awkward_sizes(block)) count(n, block);
}

template <class Operator, class T>
void check_warps_safety(Check& check, const InOutKernel<T>& kernel, Input<T> input) {
  const auto run = [&](Device& device, unsigned n, unsigned block) {
    return expect_warps<Operator>(device, kernel, input, n, thread_for_each(n, block));
  };
  for (const unsigned block : check.block_sizes())
    for (const unsigned n : {0u, 1u, 31u, 32u, 33u, 2 * block - 1, 3 * block + 17})
      check.expect_safe(run, n, block);
  check.under_every_schedule(
      [&](Device&, const std::string&) { check.expect_safe(run, ragged_n, ragged_block); });
}

/// The checks of a kernel that reduces each warp by `Operator`, on `input`.
template <class Operator, class T>
std::vector<CheckOf> warp_checks(const InOutKernel<T>& kernel, Input<T> input) {
  return {{Aspect::result, [=](Check& check) { check_warps_result<Operator>(check, kernel, input); }},
          {Aspect::technique, [=](Check& check) { check_warps_technique<Operator>(check, kernel, input); }},
          {Aspect::safety, [=](Check& check) { check_warps_safety<Operator>(check, kernel, input); }}};
}

template <class Operator, const auto& kernel, auto input>
Launch shown_warps(Device& device, unsigned n) {
  return expect_warps<Operator>(device, kernel, input(n, 1), thread_for_each(n, device.block_or(256)));
}
const RegisterKernels warp_kernels({
    {.kernel = warp_reduce_sum,
     .technique = "five shuffles per warp",
     .task = "sum the 32 elements of each warp in registers",
     .run = shown_warps<operators::Sum, warp_reduce_sum, small_numbers>,
     .checks = warp_checks<operators::Sum>(warp_reduce_sum, summands)},
    {.kernel = warp_reduce_product,
     .technique = "the same, identity 1",
     .task = "multiply the 32 elements of each warp",
     .run = shown_warps<operators::Product, warp_reduce_product, factors>,
     .checks = warp_checks<operators::Product>(warp_reduce_product, factors)},
    {.kernel = warp_reduce_max,
     .technique = "the same, identity -inf",
     .task = "find the largest of the 32 elements of each warp",
     .run = shown_warps<operators::Max, warp_reduce_max, of_either_sign>,
     .checks = warp_checks<operators::Max>(warp_reduce_max, of_either_sign)},
    {.kernel = warp_reduce_min,
     .technique = "the same, identity +inf",
     .task = "find the smallest of the 32 elements of each warp",
     .run = shown_warps<operators::Min, warp_reduce_min, of_either_sign>,
     .checks = warp_checks<operators::Min>(warp_reduce_min, of_either_sign)},
    {.kernel = warp_reduce_and,
     .technique = "the same, identity true",
     .task = "are all of the 32 elements of each warp true?",
     .run = shown_warps<operators::LogicalAnd, warp_reduce_and, many_true>,
     .checks = warp_checks<operators::LogicalAnd>(warp_reduce_and, many_true)},
    {.kernel = warp_reduce_or,
     .technique = "the same, identity false",
     .task = "is any of the 32 elements of each warp true?",
     .run = shown_warps<operators::LogicalOr, warp_reduce_or, few_bits>,
     .checks = warp_checks<operators::LogicalOr>(warp_reduce_or, few_bits)},
    {.kernel = warp_reduce_bit_and,
     .technique = "the same, identity ~0",
     .task = "which bits are set in all 32 elements of each warp?",
     .run = shown_warps<operators::BitAnd, warp_reduce_bit_and, many_bits>,
     .checks = warp_checks<operators::BitAnd>(warp_reduce_bit_and, many_bits)},
    {.kernel = warp_reduce_bit_or,
     .technique = "the same, identity 0",
     .task = "which bits are set in any of the 32 of each warp?",
     .run = shown_warps<operators::BitOr, warp_reduce_bit_or, few_bits>,
     .checks = warp_checks<operators::BitOr>(warp_reduce_bit_or, few_bits)},
});

}  // namespace

WARPWISE_CHECK(warp_reduce_sum, result, "floats that round") {
  for (Device& device : check.devices()) {
    const Floats values = random_floats(1000, 5);
    expect_close(run_warps(device, warp_reduce_sum, values, 256).out, block_sums(values, 32),
                 block_sum_error_bounds(values, 32, additions_in_a_warp),
                 {.n = 1000, .block = 256, .note = "real floats"});
  }
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
  for (Device& device : check.devices())
    expect_close(run_warps(device, warp_reduce_product, values, 256).out, expected, bounds,
                 {.n = 1000, .block = 256, .note = "real floats"});
}
