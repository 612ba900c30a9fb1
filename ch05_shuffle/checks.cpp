/// \file What chapter 5 asks of its kernels, first part: shuffles and warps. Contracts: kernels.hpp. Blocks
/// are in checks_blocks.cpp, reduce_to_the_roof in checks_roof.cpp.

#include "ch05_shuffle/kernels.hpp"
#include "ch05_shuffle/launches.hpp"
#include "common/harness/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch05;
using warpwise::simulator::Counters;

namespace {

// --- inputs
// -------------------------------------------------------------------------------------------------

using Floats = std::vector<float>;
using Words = std::vector<std::uint32_t>;

Floats integers(unsigned n, std::uint64_t seed) { return random_integers(n, seed); }
/// -1, 2 and 1/2: every product of 32 of them is exact, in any order.
Floats factors(unsigned n, std::uint64_t seed) {
  Floats values = random_integers(n, seed, 0, 2);
  for (float& value : values) value = value == 0 ? -1.0f : value == 1 ? 2.0f : 0.5f;
  return values;
}
/// All below 0, so that a 0 where there is no element would be the largest.
Floats negative(unsigned n, std::uint64_t seed) {
  Floats values = random_floats(n, seed);
  for (float& value : values) value -= 2;
  return values;
}
Floats positive(unsigned n, std::uint64_t seed) {
  Floats values = negative(n, seed);
  for (float& value : values) value = -value;
  return values;
}
/// Bits are rare: about one word in 40 is not 0, and it is seldom 1.
Words few_bits(unsigned n, std::uint64_t seed) {
  Words words = random_words(n, seed);
  for (std::uint32_t& word : words) word = word % 40 == 0 ? word : 0;
  return words;
}
/// About one word in 40 is 0; the others are even, mostly.
Words many_true(unsigned n, std::uint64_t seed) {
  Words words = random_words(n, seed);
  for (std::uint32_t& word : words) word = word % 40 == 0 ? 0 : word << 1 | (word % 7 == 0) | 0x80000000u;
  return words;
}
/// About one bit in 64 is 0, so that some are set in all of 32 words and some are not.
Words many_bits(unsigned n, std::uint64_t seed) {
  Words words(n, 0);
  for (unsigned draw = 0; draw < 6; ++draw) {
    const Words more = random_words(n, seed_of(seed, draw));
    for (unsigned i = 0; i < n; ++i) words[i] |= more[i];
  }
  return words;
}

// --- the ladder
// ---------------------------------------------------------------------------------------------

template <const auto& kernel, auto input>
Launch exhibit_warps(Device& device, unsigned n) {
  return run_warps(device, kernel, input(n, 1), 256);
}

const Exhibit exhibits[] = {
    {.kernel = broadcast,
     .technique = "one lane to all",
     .task = "give every lane the element of one lane of its warp",
     .run = [](Device& device, unsigned n) { return run_lanes(device, broadcast, n, 256, 7); },
     .bytes_per_element = 8},
    {.kernel = shift_up,
     .technique = "from the lane below",
     .task = "give every lane the element some lanes below",
     .run = [](Device& device, unsigned n) { return run_lanes(device, shift_up, n, 256, 1); },
     .bytes_per_element = 8},
    {.kernel = shift_down,
     .technique = "from the lane above",
     .task = "give every lane the element some lanes above",
     .run = [](Device& device, unsigned n) { return run_lanes(device, shift_down, n, 256, 1); },
     .bytes_per_element = 8},
    {.kernel = butterfly_sum,
     .technique = "butterfly: all lanes know",
     .task = "give every lane the sum of its warp",
     .run = [](Device& device, unsigned n) { return run_butterfly(device, n, 256); },
     .bytes_per_element = 8},
    {.kernel = warp_reduce_sum,
     .technique = "five shuffles a warp",
     .task = "sum the 32 elements of each warp in registers",
     .run = exhibit_warps<warp_reduce_sum, integers>},
    {.kernel = warp_reduce_product,
     .technique = "the same, identity 1",
     .task = "multiply the 32 elements of each warp",
     .run = exhibit_warps<warp_reduce_product, factors>},
    {.kernel = warp_reduce_max,
     .technique = "the same, identity -inf",
     .task = "find the largest of the 32 elements of each warp",
     .run = exhibit_warps<warp_reduce_max, negative>},
    {.kernel = warp_reduce_min,
     .technique = "the same, identity +inf",
     .task = "find the smallest of the 32 elements of each warp",
     .run = exhibit_warps<warp_reduce_min, positive>},
    {.kernel = warp_reduce_and,
     .technique = "the same, identity true",
     .task = "are all of the 32 elements of each warp true?",
     .run = exhibit_warps<warp_reduce_and, many_true>},
    {.kernel = warp_reduce_or,
     .technique = "the same, identity false",
     .task = "is any of the 32 elements of each warp true?",
     .run = exhibit_warps<warp_reduce_or, few_bits>},
    {.kernel = warp_reduce_bit_and,
     .technique = "the same, identity ~0",
     .task = "which bits are set in all 32 elements of each warp?",
     .run = exhibit_warps<warp_reduce_bit_and, many_bits>},
    {.kernel = warp_reduce_bit_or,
     .technique = "the same, identity 0",
     .task = "which bits are set in any of the 32 of each warp?",
     .run = exhibit_warps<warp_reduce_bit_or, few_bits>},
    {.kernel = reduce_shuffle,
     .technique = "grid-stride, sums of warps",
     .task = "sum what each block takes, with one barrier",
     .run = [](Device& device,
               unsigned n) { return run_reduce_shuffle(device, n, walking_grid(device, n, 256)); },
     .is_rung = true},
    {.kernel = reduce_atomic,
     .technique = "one atomic a block",
     .task = "add the sum of all elements to one total",
     .run = [](Device& device,
               unsigned n) { return run_reduce_atomic(device, n, walking_grid(device, n, 256)); }},
    {.kernel = reduce_argmax,
     .technique = "two shuffles a step",
     .task = "find the largest element and the lowest index it has",
     .run = [](Device& device,
               unsigned n) { return run_reduce_argmax(device, n, walking_grid(device, n, 256)); }},
    {.kernel = dot_product,
     .technique = "a product for each element",
     .task = "sum a[i] * b[i] over what each block takes",
     .run = [](Device& device,
               unsigned n) { return run_dot_product(device, n, walking_grid(device, n, 256)); },
     .bytes_per_element = 8},
    {.kernel = reduce_to_the_roof,
     .technique = "16-byte loads, 4 in flight",
     .task = "sum everything, at the speed of the memory",
     .run = [](Device& device,
               unsigned n) { return run_roof(device, n, roof_grid(device.properties().multiprocessors, n)); },
     .is_rung = true},
};
const RegisterChapter registered({.name = WARPWISE_CHAPTER,
                                  .title = "Registers instead of shared memory",
                                  .source_folder = WARPWISE_SOURCE_DIR,
                                  .binary_folder = WARPWISE_BINARY_DIR,
                                  .exhibits = exhibits});

// --- the four shuffles
// --------------------------------------------------------------------------------------

/// `source_of(lane, lanes)`, for every value of the kernel's last parameter, is the lane of the same warp
/// whose element is expected.
void check_lanes(const LaneKernel& kernel, const std::string& parameter,
                 unsigned (*source_of)(unsigned lane, unsigned lanes)) {
  for (Device& device : devices())
    for (const unsigned block : block_sizes)
      for (unsigned lanes = 0; lanes < 32; ++lanes) {
        const LaunchShape shape{.grid = 2, .block = block};
        const Floats values = random_floats(2 * block, seed_of(block, lanes));
        std::vector<double> expected;
        for (unsigned i = 0; i < values.size(); ++i)
          expected.push_back(values[i / 32 * 32 + source_of(i % 32, lanes)]);
        const auto in = device.upload("in", values);
        const auto out = device.poisoned<float>("out", values.size());
        device.launch(kernel, shape, in, out, lanes);
        expect_equal(out, expected, {.block = block, .note = parameter + " " + std::to_string(lanes)});
      }
}

/// What every kernel that works inside a warp may use. One load request of 32 lanes is one element a lane at
/// its natural width, so that one lane alone cannot have read what the others have.
void expect_registers_only(const Counters& counters, double warps) {
  expect_at_most("shared memory requests",
                 static_cast<double>(counters.shared_load_requests + counters.shared_store_requests +
                                     counters.shared_atomic_requests),
                 0, "the lanes hand values over in registers");
  expect_at_most("block barriers", static_cast<double>(counters.block_barriers), 0,
                 "a warp needs none of the other warps");
  expect_at_most("global atomic requests", static_cast<double>(counters.global_atomic_requests), 0,
                 "the lanes hand values over in registers");
  expect_at_most("global load requests a warp", static_cast<double>(counters.global_load_requests) / warps, 1,
                 "a warp reads its 32 elements at once");
  expect_at_most("global load sectors a warp", static_cast<double>(counters.global_load_sectors) / warps, 4,
                 "32 neighbouring elements fill 4 sectors");
}

void check_lanes_technique(const LaneKernel& kernel) {
  const Launch launch = run_lanes(simulated_device(), kernel, 1024, 256, 5);
  const double warps = warps_of(launch.shape());
  expect_equal_count("shuffles a warp", static_cast<double>(launch.counters().shuffles) / warps, 1,
                     "one shuffle moves a value between any lanes of a warp");
  expect_registers_only(launch.counters(), warps);
}

void check_lanes_safety(const LaneKernel& kernel) {
  for (const unsigned block : block_sizes)
    for (const unsigned lanes : {0u, 1u, 16u, 31u})
      expect_no_findings(run_lanes(simulated_device(), kernel, 2 * block, block, lanes));
}

// --- one value a warp
// ---------------------------------------------------------------------------------------

template <class T>
using WarpKernel = Kernel<void(const T*, T*, unsigned)>;
template <class T>
using Input = std::vector<T> (*)(unsigned, std::uint64_t);

template <class Operator, class T>
void check_warps_result(const WarpKernel<T>& kernel, Input<T> input) {
  for (Device& device : devices())
    for (const unsigned block : block_sizes)
      for (const unsigned n : awkward_sizes(block)) {
        const LaunchShape shape = thread_for_each(n, block);
        const std::vector<T> values = input(n, seed_of(n, block));
        auto expected = block_reductions<Operator>(values, 32);
        expected.resize(warps_of(shape), Operator::template identity<ReferenceType<T>>);
        const auto in = device.upload("in", values);
        const auto out = device.poisoned<T>("out", warps_of(shape));
        device.launch(kernel, shape, in, out, n);
        expect_equal(out, expected, {.n = n, .block = block});
      }
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
}

template <class T>
void check_warps_safety(const WarpKernel<T>& kernel, Input<T> input) {
  for (const unsigned block : block_sizes)
    for (const unsigned n : {0u, 1u, 31u, 32u, 33u, 2 * block - 1, 3 * block + 17})
      expect_no_findings(run_warps(simulated_device(), kernel, input(n, seed_of(n, block)), block));
}

}  // namespace

TEST_CASE("broadcast: result", "[broadcast][result]") {
  check_lanes(broadcast, "source", [](unsigned, unsigned source) { return source; });
}
TEST_CASE("broadcast: technique", "[broadcast][technique]") { check_lanes_technique(broadcast); }
TEST_CASE("broadcast: safety", "[broadcast][safety]") { check_lanes_safety(broadcast); }

TEST_CASE("shift_up: result", "[shift_up][result]") {
  check_lanes(shift_up, "distance", [](unsigned lane, unsigned by) { return lane < by ? lane : lane - by; });
}
TEST_CASE("shift_up: technique", "[shift_up][technique]") { check_lanes_technique(shift_up); }
TEST_CASE("shift_up: safety", "[shift_up][safety]") { check_lanes_safety(shift_up); }

TEST_CASE("shift_down: result", "[shift_down][result]") {
  check_lanes(shift_down, "distance",
              [](unsigned lane, unsigned by) { return lane + by > 31 ? lane : lane + by; });
}
TEST_CASE("shift_down: technique", "[shift_down][technique]") { check_lanes_technique(shift_down); }
TEST_CASE("shift_down: safety", "[shift_down][safety]") { check_lanes_safety(shift_down); }

TEST_CASE("butterfly_sum: result", "[butterfly_sum][result]") {
  for (Device& device : devices())
    for (const unsigned block : block_sizes) {
      const Floats values = random_integers(3 * block, block);
      std::vector<double> expected;
      for (unsigned i = 0; i < values.size(); ++i)
        expected.push_back(sum(std::span(values).subspan(i / 32 * 32, 32)));
      const auto in = device.upload("in", values);
      const auto out = device.poisoned<float>("out", values.size());
      device.launch(butterfly_sum, {.grid = 3, .block = block}, in, out);
      expect_equal(out, expected, {.block = block});
    }
}
// Five shuffles reach lane 0 in any tree, and all lanes only if no lane rests: down and then a broadcast
// takes six.
TEST_CASE("butterfly_sum: technique", "[butterfly_sum][technique]") {
  const Launch launch = run_butterfly(simulated_device(), 1024, 256);
  const double warps = warps_of(launch.shape());
  expect_at_most("shuffles a warp", static_cast<double>(launch.counters().shuffles) / warps, 5,
                 "each doubles what every lane has seen: 2^5 = 32");
  expect_registers_only(launch.counters(), warps);
}
TEST_CASE("butterfly_sum: safety", "[butterfly_sum][safety]") {
  for (const unsigned block : block_sizes)
    expect_no_findings(run_butterfly(simulated_device(), 2 * block, block));
}

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
    // In a tree over 32 values none passes through more than 5 additions.
    expect_close(out, block_sums(values, 32), block_sum_error_bounds(values, 32, 5),
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
