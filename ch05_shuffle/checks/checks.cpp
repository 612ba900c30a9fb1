/// \file What chapter 5 requires of its kernels, first part: shuffles. Contracts: kernels.hpp. The kernels
/// with one value per warp are in warps.cpp, those with one per block in blocks.cpp and
/// argmax.cpp, and the way to the roof is in wide.cpp and roof.cpp.

#include <bit>
#include <cstdio>

#include "ch05_shuffle/checks/block_checks.hpp"
#include "ch05_shuffle/checks/launches.hpp"
#include "ch05_shuffle/checks/warp_checks.hpp"
#include "ch05_shuffle/kernels.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch05;

namespace {

// --- The four shuffles ---------------------------------------------------------------------------------

/// A kernel that moves elements within a warp, and the lane that each lane gets its element from, for a value
/// of the last parameter.
struct LaneShuffle {
  InOutKernel<float> kernel;
  const char* parameter;
  unsigned (*source_of)(unsigned lane, unsigned lanes);
};
constexpr LaneShuffle from_one{broadcast, "source", [](unsigned, unsigned source) { return source; }};
constexpr LaneShuffle up{shift_up, "distance",
                         [](unsigned lane, unsigned by) { return lane < by ? lane : lane - by; }};
constexpr LaneShuffle down{shift_down, "distance",
                           [](unsigned lane, unsigned by) { return lane + by > 31 ? lane : lane + by; }};

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
std::string in_hexadecimal(std::uint32_t word) {
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", word);
  return digits;
}

Launch expect_lanes(Device& device, const LaneShuffle& shuffle, const Floats& values,
                    const LaunchShape& shape, unsigned lanes, const std::string& note = {}) {
  auto [launch, out] = run_in_out(device, shuffle.kernel, shape, values, values.size(), lanes);
  const Case where{.block = shape.block.x,
                   .grid = shape.grid.x,
                   .note = std::string(shuffle.parameter) + " " + std::to_string(lanes) + note};
  Floats moved;
  for (unsigned i = 0; i < values.size(); ++i)
    moved.push_back(values[i / 32 * 32 + shuffle.source_of(i % 32, lanes)]);
  expect_equal(out, std::vector<double>(moved.begin(), moved.end()), where);
  const Floats found = out.download();  // zeros of either sign are equal, and so are all NaN
  for (unsigned i = 0; i < found.size(); ++i)
    if (bits(found[i]) != bits(moved[i]))
      expect_that(false, where,
                  "out[" + std::to_string(i) + "] has the bits " + in_hexadecimal(bits(found[i])) +
                      ", expected " + in_hexadecimal(bits(moved[i])) +
                      ": a shuffle moves all 32 as they are");
  return std::move(launch);
}

/// With floats, some of which are special: an infinity, -0, and a NaN with bits that no operation gives it.
Launch expect_lanes(Device& device, const LaneShuffle& shuffle, unsigned block, unsigned lanes,
                    unsigned grid = 2, const std::string& note = {}) {
  Floats values = random_floats(grid * block, seed_of(block, lanes));
  values[1] = infinity;
  values[2] = std::bit_cast<float>(0xffc01234u);
  for (unsigned i = 3; i < values.size(); i += 7) values[i] = -0.0f;
  return expect_lanes(device, shuffle, values, {.grid = grid, .block = block}, lanes, note);
}

void check_lanes(Check& check, const LaneShuffle& shuffle) {
  for (Device& device : check.devices())
    for (const unsigned block : check.block_sizes())
      for (unsigned lanes = 0; lanes < 32; ++lanes) expect_lanes(device, shuffle, block, lanes);
  for (Device& device : check.devices())  // one block; and more than 2^16 threads
    for (const unsigned grid : {1u, 65u}) expect_lanes(device, shuffle, 1024, 9, grid);
  check.under_every_schedule([&](Device& device, const std::string& schedule) {
    for (const unsigned lanes : {1u, 13u}) expect_lanes(device, shuffle, 64, lanes, 2, ", " + schedule);
  });
}

/// On launches of the result check, for each block size and two lanes that the seed draws.
void check_lanes_technique(Check& check, const LaneShuffle& shuffle) {
  for (const unsigned block : check.block_sizes())
    for (const unsigned draw : {1u, 2u}) {
      const unsigned lanes = seed_of(run_seed(), block, draw) % 32;
      const auto [launch, work] = launch_and_work(
          check.simulated(), [&](Device& device) { return expect_lanes(device, shuffle, block, lanes); });
      expect_equal_count("shuffles per warp", launch.count(&Counters::shuffles).per_warp(), 1,
                         "one shuffle moves a value between any lanes of a warp");
      expect_registers_only(launch);
      expect_shared_out(work, 4.0 * 2 * block);
    }
}

void check_lanes_safety(Check& check, const LaneShuffle& shuffle) {
  const auto run = [&](Device& device, unsigned block, unsigned lanes) {
    return expect_lanes(device, shuffle, block, lanes);
  };
  for (const unsigned block : check.block_sizes())
    for (const unsigned lanes : {0u, 1u, 16u, 31u}) check.expect_safe(run, block, lanes);
  check.under_every_schedule([&](Device&, const std::string&) { check.expect_safe(run, 64, 5); });
}

std::vector<CheckOf> lane_checks(const LaneShuffle& shuffle) {
  return {{Aspect::result, [&](Check& check) { check_lanes(check, shuffle); }},
          {Aspect::technique, [&](Check& check) { check_lanes_technique(check, shuffle); }},
          {Aspect::safety, [&](Check& check) { check_lanes_safety(check, shuffle); }}};
}

/// The value of each warp, repeated for each of its lanes.
std::vector<double> in_every_lane(const std::vector<double>& of_warps) {
  std::vector<double> all;
  for (const double value : of_warps) all.insert(all.end(), 32, value);
  return all;
}

struct Butterfly {
  Launch launch;
  Buffer<float> out;
};
Butterfly butterfly(Device& device, const Floats& values, const LaunchShape& shape) {
  const auto in = device.upload("in", values);
  auto out = device.poisoned<float>("out", values.size());
  Launch launch = device.launch(butterfly_sum, shape, in, out);
  return {std::move(launch), std::move(out)};
}

/// With values whose sums are exact.
Launch expect_butterfly(Device& device, const Floats& values, const LaunchShape& shape,
                        const std::string& note = {}) {
  auto [launch, out] = butterfly(device, values, shape);
  expect_equal(out, in_every_lane(block_sums(values, 32)), {.block = shape.block.x, .note = note});
  return std::move(launch);
}
Launch expect_butterfly(Device& device, unsigned block, const std::string& note = {}) {
  return expect_butterfly(device, summands(3 * block, block), {.grid = 3, .block = block}, note);
}

// --- The ladder ----------------------------------------------------------------------------------------

template <const auto& shuffle, unsigned lanes>
Launch shown_lanes(Device& device, unsigned n) {
  const LaunchShape shape = thread_for_each(n, device.block_or(256));
  return expect_lanes(device, shuffle, random_integers(32 * warps_of(shape), n), shape, lanes);
}
Launch shown_butterfly(Device& device, unsigned n) {
  const LaunchShape shape = thread_for_each(n, device.block_or(256));
  return expect_butterfly(device, random_integers(32 * warps_of(shape), n), shape);
}

const RegisterKernels lane_kernels({
    {.kernel = broadcast,
     .technique = "one lane to all",
     .task = "give every lane the element of one lane of its warp",
     .run = shown_lanes<from_one, 7>,
     .bytes_per_element = 8,
     .checks = lane_checks(from_one)},
    {.kernel = shift_up,
     .technique = "from the lane below",
     .task = "give every lane the element some lanes below",
     .run = shown_lanes<up, 1>,
     .bytes_per_element = 8,
     .checks = lane_checks(up)},
    {.kernel = shift_down,
     .technique = "from the lane above",
     .task = "give every lane the element some lanes above",
     .run = shown_lanes<down, 1>,
     .bytes_per_element = 8,
     .checks = lane_checks(down)},
    {.kernel = butterfly_sum,
     .technique = "butterfly: all lanes know",
     .task = "give every lane the sum of its warp",
     .run = shown_butterfly,
     .bytes_per_element = 8},
});
const RegisterChapter registered(this_chapter("Registers instead of shared memory"));

}  // namespace

WARPWISE_CHECK(butterfly_sum, result) {
  for (Device& device : check.devices())
    for (const unsigned block : check.block_sizes()) expect_butterfly(device, block);
}
WARPWISE_CHECK(butterfly_sum, result, "in any order") {
  check.under_every_schedule(
      [&](Device& device, const std::string& schedule) { expect_butterfly(device, 64, schedule); });
}
WARPWISE_CHECK(butterfly_sum, result, "floats that round") {
  constexpr unsigned block = 128;
  const Floats values = random_floats(3 * block, block);
  const auto bounds = block_sum_error_bounds(values, 32, additions_in_a_warp);
  for (Device& device : check.devices())
    expect_close(butterfly(device, values, {.grid = 3, .block = block}).out,
                 in_every_lane(block_sums(values, 32)), in_every_lane(bounds),
                 {.block = block, .note = "real floats"});
}
// Five shuffles are enough for lane 0 in any tree, but for all lanes only if no lane is idle: a tree down and
// then a broadcast takes six.
WARPWISE_CHECK(butterfly_sum, technique) {
  for (const unsigned block : check.block_sizes()) {
    const auto [launch, work] =
        launch_and_work(check.simulated(), [&](Device& device) { return expect_butterfly(device, block); });
    expect_at_most("shuffles per warp", launch.count(&Counters::shuffles).per_warp(), 5,
                   "each doubles the number of values in every lane's sum: 2^5 = 32");
    expect_registers_only(launch);
    expect_shared_out(work, 4.0 * 3 * block);
  }
}
WARPWISE_CHECK(butterfly_sum, safety) {
  const auto run = [](Device& device, unsigned block) { return expect_butterfly(device, block); };
  for (const unsigned block : check.block_sizes()) check.expect_safe(run, block);
  check.under_every_schedule([&](Device&, const std::string&) { check.expect_safe(run, 64); });
}
