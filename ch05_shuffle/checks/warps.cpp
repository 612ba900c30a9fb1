/// \file What chapter 5 asks of its kernels, second part: one value per warp. Contracts: kernels.hpp. The
/// eight kernels differ in the operator alone, so their cases are the same and stand here once.

#include <algorithm>
#include <cmath>

#include "ch05_shuffle/checks/requirements.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch05;

namespace {

// --- Inputs: n elements, drawn by a seed ------------------------------------------------------------------

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

// --- What the kernels compute, told once ------------------------------------------------------------------

/// Of a warp of which all elements are NaN the maximum may be anything.
template <class Operator, class T>
bool each_warp_has_one_result(const std::vector<T>& values) {
  const auto results = for_each_stretch(values, 32, [](std::span<const T> warp) {
    const std::vector<T> own(warp.begin(), warp.end());
    if constexpr (std::is_same_v<Operator, operators::Max> || std::is_same_v<Operator, operators::Min>)
      return !std::isnan(reduce<Operator>(warp));
    return have_one_result<Operator>(own);
  });
  return std::find(results.begin(), results.end(), false) == results.end();
}

/// out[w] is the reduction of in[32 * w] to in[32 * w + 31]; what is at or past n counts as the identity.
template <class Operator, class T>
Requirement<Buffer<T>> EqualsWarps(const std::vector<T>& in) {
  const auto require_warps = [](const Buffer<T>& out, const std::vector<T>& values) {
    auto expected = block_reductions<Operator>(values, 32);
    expected.resize(out.size(), Operator::template identity<ReferenceType<T>>);
    const auto warp = [&](std::size_t w) -> std::vector<ElementRange> {
      return {{.begin = 32 * w, .end = std::min(32 * w + 32, values.size())}};
    };
    require(out, Holds(expected)
                     .as(joined_by<Operator, T>(), each_result(out, out.size(), warp))
                     .where(case_of(out.memory(), values.size(), 0)));
  };
  return {"is the reduction of each warp", [&in, require_warps](const Buffer<T>& out) {
            ask_with_other_values<T>(out.memory(), {in, "in", each_warp_has_one_result<Operator, T>},
                                     [&](const auto& values) { require_warps(out, values); });
          }};
}

/// A kernel of the family, the elements that it is tried on, and what its results must be.
template <class T>
struct Reduction {
  InOutKernel<T> kernel;
  std::vector<T> (*input)(unsigned n, std::uint64_t seed);
  Requirement<Buffer<T>> (*equals_warps)(const std::vector<T>& in);
};
constexpr Reduction<float> sum_of_warps{warp_reduce_sum, summands, EqualsWarps<operators::Sum>};
constexpr Reduction<float> product_of_warps{warp_reduce_product, factors, EqualsWarps<operators::Product>};
constexpr Reduction<float> max_of_warps{warp_reduce_max, of_either_sign, EqualsWarps<operators::Max>};
constexpr Reduction<float> min_of_warps{warp_reduce_min, of_either_sign, EqualsWarps<operators::Min>};
constexpr Reduction<std::uint32_t> and_of_warps{warp_reduce_and, many_true,
                                                EqualsWarps<operators::LogicalAnd>};
constexpr Reduction<std::uint32_t> or_of_warps{warp_reduce_or, few_bits, EqualsWarps<operators::LogicalOr>};
constexpr Reduction<std::uint32_t> bit_and_of_warps{warp_reduce_bit_and, many_bits,
                                                    EqualsWarps<operators::BitAnd>};
constexpr Reduction<std::uint32_t> bit_or_of_warps{warp_reduce_bit_or, few_bits,
                                                   EqualsWarps<operators::BitOr>};

// --- The cases of each kernel -----------------------------------------------------------------------------

template <class T>
void at_awkward_sizes(const Reduction<T>& of) {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto in = of.input(n, seed_of(n, block));
  const auto out = launch_warps(device, of.kernel, in, thread_for_each(n, block)).out;
  CHECK_THAT(out, of.equals_warps(in));
}

template <class T>
void with_more_blocks(const Reduction<T>& of) {
  Device& device = GENERATE(devices());
  // More blocks than n elements need: a few more, and far more. And n above 2^16.
  const auto [n, grid, block] = GENERATE(table<unsigned, unsigned, unsigned>(
      {{0u, 3u, 64u}, {33u, 7u, 32u}, {1000u, 300u, 32u}, {70'001u, 75u, 1024u}}));
  const auto in = of.input(n, seed_of(n, block));
  const auto out = launch_warps(device, of.kernel, in, {.grid = grid, .block = block}).out;
  CHECK_THAT(out, of.equals_warps(in));
}

template <class T>
void from_any_word(const Reduction<T>& of) {
  Device& device = GENERATE(devices());
  const auto in = of.input(1000, 1);
  auto from_before = in;
  from_before.insert(from_before.begin(), T{});
  const auto all = device.upload("in", from_before);
  const LaunchShape shape = thread_for_each(1000, 64);
  const auto out = device.poisoned<T>("out", warps_of(shape));
  device.launch(of.kernel, shape, all.from(1), out, 1000u);
  INFO("in starts 4 bytes after a 16-byte boundary");
  CHECK_THAT(out, of.equals_warps(in));
}

// Two full warps and an incomplete one: lanes without an element next to lanes with one.
template <class T>
void in_any_order(const Reduction<T>& of) {
  SimulatedDevice& device = GENERATE(every_order());
  constexpr unsigned n = 77, block = 64;
  const auto in = of.input(n, seed_of(n, block));
  const auto out = launch_warps(device, of.kernel, in, thread_for_each(n, block)).out;
  CHECK_THAT(out, of.equals_warps(in));
}

/// Five shuffles: one shuffle at most doubles the number of lanes whose values a lane has combined, and
/// 2^5 = 32. Fewer are fine (a vote is not a shuffle).
void check_five_shuffles(const LaunchAndWork& run) {
  CHECK_THAT(
      run.launch.count(&Counters::shuffles).per_warp(),
      AtMost(5, "shuffles per warp", "each doubles the number of values that a lane has combined: 2^5 = 32"));
  check_registers_only(run);
}

template <class T>
void takes_five_shuffles(const Reduction<T>& of) {
  SimulatedDevice& device = simulated();
  constexpr unsigned n = 2048, block = 256;
  const auto in = of.input(n, seed_of(n, block));
  const LaunchShape shape = thread_for_each(n, block);
  const auto [run, out] = counted(device, launch_warps<T>, of.kernel, in, shape);
  check_five_shuffles(run);
  CHECK_THAT(run.work, IsSharedOut(4.0 * n));
  CHECK_THAT(out, of.equals_warps(in));
}

// What they are makes no difference: here sums and products round.
void takes_five_shuffles_of_any_floats(const Reduction<float>& of) {
  SimulatedDevice& device = simulated();
  const auto in = random_floats(1000, 5);
  const auto [run, out] = counted(device, launch_warps<float>, of.kernel, in, thread_for_each(1000, 256));
  check_five_shuffles(run);
  device.mark_read(run.launch);  // the result has cases of its own
}

template <class T>
void takes_five_shuffles_at_any_size(const Reduction<T>& of) {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(some_awkward_sizes(block));
  const auto in = of.input(n, seed_of(n, block));
  LaunchShape shape = thread_for_each(n, block);
  ++shape.grid.x;  // warps that have no elements read none
  const auto [run, out] = counted(device, launch_warps<T>, of.kernel, in, shape);
  check_five_shuffles(run);
  CHECK_THAT(run.launch, ReadsNothingTwice(n, "a warp reads its own elements"));
  CHECK_THAT(out, of.equals_warps(in));
}

template <class T>
void has_no_findings(const Reduction<T>& of) {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(0u, 1u, 31u, 32u, 33u, 2 * block - 1, 3 * block + 17);
  const auto in = of.input(n, seed_of(n, block));
  const auto [launch, out] = launch_warps(device, of.kernel, in, thread_for_each(n, block));
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, of.equals_warps(in));
}

template <class T>
void has_no_findings_in_any_order(const Reduction<T>& of) {
  SimulatedDevice& device = GENERATE(every_order());
  constexpr unsigned n = 77, block = 64;
  const auto in = of.input(n, seed_of(n, block));
  const auto [launch, out] = launch_warps(device, of.kernel, in, thread_for_each(n, block));
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, of.equals_warps(in));
}

template <class T>
void register_warp_cases(const Reduction<T>& of) {
  register_cases(of.kernel, of,
                 {{"each warp's value, at awkward sizes", Aspect::result, at_awkward_sizes},
                  {"more blocks than n needs", Aspect::result, with_more_blocks},
                  {"in starts at any word", Aspect::result, from_any_word},
                  {"in any order", Aspect::result, in_any_order},
                  {"five shuffles", Aspect::technique, takes_five_shuffles},
                  {"five shuffles, at any size", Aspect::technique, takes_five_shuffles_at_any_size}});
  if constexpr (std::is_same_v<T, float>)
    register_cases(of.kernel, of,
                   {{"five shuffles, of any floats", Aspect::technique, takes_five_shuffles_of_any_floats}});
  register_cases(of.kernel, of,
                 {{"no findings", Aspect::safety, has_no_findings},
                  {"no findings, in any order", Aspect::safety, has_no_findings_in_any_order}});
}
[[maybe_unused]] const bool are_warp_cases_registered =
    (register_warp_cases(sum_of_warps), register_warp_cases(product_of_warps),
     register_warp_cases(max_of_warps), register_warp_cases(min_of_warps), register_warp_cases(and_of_warps),
     register_warp_cases(or_of_warps), register_warp_cases(bit_and_of_warps),
     register_warp_cases(bit_or_of_warps), true);

}  // namespace

TEST_CASE("warp_reduce_sum: floats that round", "[warp_reduce_sum][result]") {
  Device& device = GENERATE(devices());
  const auto in = random_floats(1000, 5);
  const auto out = launch_warps(device, warp_reduce_sum, in, thread_for_each(1000, 256)).out;
  const auto bounds = block_sum_error_bounds(in, 32, additions_in_a_warp);
  INFO("real floats");
  CHECK_THAT(out, Holds(block_sums(in, 32)).within(bounds));
}

TEST_CASE("warp_reduce_product: floats that round", "[warp_reduce_product][result]") {
  Device& device = GENERATE(devices());
  // From 1/2 to 3/2, with either sign, so a product of 32 neither overflows nor vanishes.
  auto in = random_floats(1000, 5);
  for (float& value : in) value += value < 0 ? -0.5f : 0.5f;
  const auto out = launch_warps(device, warp_reduce_product, in, thread_for_each(1000, 256)).out;
  const auto expected = block_reductions<operators::Product>(in, 32);
  // Whatever the order, 31 multiplications, each of which rounds once: |error| <= k u / (1 - k u) |product|,
  // k = 31, u = 2^-24 (Higham, section 3.1; see sum_error_bound). The 32nd is for the reference's own
  // rounding.
  const double u = std::ldexp(1.0, -24), k = 32;
  std::vector<double> bounds;
  for (const double product : expected) bounds.push_back(k * u / (1 - k * u) * std::abs(product));
  INFO("real floats");
  CHECK_THAT(out, Holds(expected).within(bounds));
}

// --- What the chapter shows of its kernels ----------------------------------------------------------------

namespace {

template <const auto& of, auto drawn = of.input>
Launch show_warps(Device& device, unsigned n) {
  const auto in = drawn(n, 1);
  auto [launch, out] = launch_warps(device, of.kernel, in, thread_for_each(n, device.block_or(256)));
  if (!launch.is_timed()) require(out, of.equals_warps(in));
  return std::move(launch);
}
/// For pictures: the cases' own values are large, and some are NaN.
Floats small_numbers(unsigned n, std::uint64_t seed) { return random_integers(n, seed); }

const RegisterKernels warp_kernels({
    {.kernel = warp_reduce_sum,
     .technique = "five shuffles per warp",
     .task = "sum the 32 elements of each warp in registers",
     .run = show_warps<sum_of_warps, small_numbers>},
    {.kernel = warp_reduce_product,
     .technique = "the same, identity 1",
     .task = "multiply the 32 elements of each warp",
     .run = show_warps<product_of_warps>},
    {.kernel = warp_reduce_max,
     .technique = "the same, identity -inf",
     .task = "find the largest of the 32 elements of each warp",
     .run = show_warps<max_of_warps>},
    {.kernel = warp_reduce_min,
     .technique = "the same, identity +inf",
     .task = "find the smallest of the 32 elements of each warp",
     .run = show_warps<min_of_warps>},
    {.kernel = warp_reduce_and,
     .technique = "the same, identity true",
     .task = "are all of the 32 elements of each warp true?",
     .run = show_warps<and_of_warps>},
    {.kernel = warp_reduce_or,
     .technique = "the same, identity false",
     .task = "is any of the 32 elements of each warp true?",
     .run = show_warps<or_of_warps>},
    {.kernel = warp_reduce_bit_and,
     .technique = "the same, identity ~0",
     .task = "which bits are set in all 32 elements of each warp?",
     .run = show_warps<bit_and_of_warps>},
    {.kernel = warp_reduce_bit_or,
     .technique = "the same, identity 0",
     .task = "which bits are set in any of the 32 of each warp?",
     .run = show_warps<bit_or_of_warps>},
});

}  // namespace
