/// \file What chapter 5 asks of its kernels, first part: shuffles. Contracts: kernels.hpp. One value a warp
/// is in checks_warps.cpp, blocks are in checks_blocks.cpp, reduce_to_the_roof in checks_roof.cpp.

#include "ch05_shuffle/kernels.hpp"
#include "ch05_shuffle/launches.hpp"
#include "ch05_shuffle/orders.hpp"
#include "ch05_shuffle/readers.hpp"
#include "ch05_shuffle/warp_checks.hpp"
#include "common/harness/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch05;

namespace {

// --- The ladder ----------------------------------------------------------------------------------------

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

// --- The four shuffles ---------------------------------------------------------------------------------

/// The lane of the same warp whose element is expected, for a value of the kernel's last parameter.
using SourceOf = unsigned (*)(unsigned lane, unsigned lanes);

void expect_lanes(Device& device, const LaneKernel& kernel, SourceOf source_of, unsigned block,
                  unsigned lanes, const std::string& note) {
  const Floats values = random_floats(2 * block, seed_of(block, lanes));
  std::vector<double> expected;
  for (unsigned i = 0; i < values.size(); ++i)
    expected.push_back(values[i / 32 * 32 + source_of(i % 32, lanes)]);
  const auto in = device.upload("in", values);
  const auto out = device.poisoned<float>("out", values.size());
  device.launch(kernel, {.grid = 2, .block = block}, in, out, lanes);
  expect_equal(out, expected, {.block = block, .note = note});
}

void check_lanes(const LaneKernel& kernel, const std::string& parameter, SourceOf source_of) {
  for (Device& device : devices())
    for (const unsigned block : block_sizes)
      for (unsigned lanes = 0; lanes < 32; ++lanes)
        expect_lanes(device, kernel, source_of, block, lanes, parameter + " " + std::to_string(lanes));
  in_any_order([&](Device& device, const std::string& schedule) {
    for (const unsigned lanes : {1u, 13u})
      expect_lanes(device, kernel, source_of, 64, lanes,
                   parameter + " " + std::to_string(lanes) + ", " + schedule);
  });
}

void check_lanes_technique(const LaneKernel& kernel) {
  const Launch launch = run_lanes(simulated_device(), kernel, 1024, 256, 5);
  const double warps = warps_of(launch.shape());
  expect_equal_count("shuffles a warp", static_cast<double>(launch.counters().shuffles) / warps, 1,
                     "one shuffle moves a value between any lanes of a warp");
  expect_registers_only(launch.counters(), warps);

  constexpr LaunchShape shape{.grid = 2, .block = 64};
  const auto out = simulated_device().poisoned<float>("out", 128);
  expect_all_warps_read(shape, integers(128, 1), 32, [&](const Buffer<float>& in) {
    return simulated_device().launch(kernel, shape, in, out, 5u);
  });
}

void check_lanes_safety(const LaneKernel& kernel) {
  for (const unsigned block : block_sizes)
    for (const unsigned lanes : {0u, 1u, 16u, 31u})
      expect_no_findings(run_lanes(simulated_device(), kernel, 2 * block, block, lanes));
  in_any_order(
      [&](Device& device, const std::string&) { expect_no_findings(run_lanes(device, kernel, 128, 64, 5)); });
}

void expect_butterfly(Device& device, unsigned block, const std::string& note = {}) {
  const Floats values = random_integers(3 * block, block);
  std::vector<double> expected;
  for (unsigned i = 0; i < values.size(); ++i)
    expected.push_back(sum(std::span(values).subspan(i / 32 * 32, 32)));
  const auto in = device.upload("in", values);
  const auto out = device.poisoned<float>("out", values.size());
  device.launch(butterfly_sum, {.grid = 3, .block = block}, in, out);
  expect_equal(out, expected, {.block = block, .note = note});
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
    for (const unsigned block : block_sizes) expect_butterfly(device, block);
}
TEST_CASE("butterfly_sum: result, in any order", "[butterfly_sum][result]") {
  in_any_order([&](Device& device, const std::string& schedule) { expect_butterfly(device, 64, schedule); });
}
TEST_CASE("butterfly_sum: result, floats that round", "[butterfly_sum][result]") {
  constexpr unsigned block = 128;
  const Floats values = random_floats(3 * block, block);
  const auto sums = block_sums(values, 32);
  const auto bounds_of_warps = block_sum_error_bounds(values, 32, additions_in_a_warp);
  std::vector<double> expected, bounds;
  for (unsigned i = 0; i < values.size(); ++i) {
    expected.push_back(sums[i / 32]);
    bounds.push_back(bounds_of_warps[i / 32]);
  }
  for (Device& device : devices()) {
    const auto in = device.upload("in", values);
    const auto out = device.poisoned<float>("out", values.size());
    device.launch(butterfly_sum, {.grid = 3, .block = block}, in, out);
    expect_close(out, expected, bounds, {.block = block, .note = "real floats"});
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
TEST_CASE("butterfly_sum: technique, all warps work", "[butterfly_sum][technique]") {
  constexpr LaunchShape shape{.grid = 2, .block = 64};
  const auto out = simulated_device().poisoned<float>("out", 128);
  expect_all_warps_read(shape, integers(128, 1), 32, [&](const Buffer<float>& in) {
    return simulated_device().launch(butterfly_sum, shape, in, out);
  });
}
TEST_CASE("butterfly_sum: safety", "[butterfly_sum][safety]") {
  for (const unsigned block : block_sizes)
    expect_no_findings(run_butterfly(simulated_device(), 2 * block, block));
  in_any_order(
      [](Device& device, const std::string&) { expect_no_findings(run_butterfly(device, 128, 64)); });
}
