/// \file What chapter 6 requires of its kernels, first part: the scans of warps. Contracts: kernels.hpp.
/// Blocks are in blocks.cpp, the whole array in device.cpp, and the parts of the single launch
/// in parts.cpp.

#include "ch06_scan/checks/launches.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch06;

namespace {

Launch expect_warp_scans(Device& device, const WarpScan& scan, const std::vector<int>& values,
                         const LaunchShape& shape, const std::string& note = {}) {
  auto [launch, out] = run_in_out(device, scan.kernel, shape, values, values.size());
  expect_equal(out, running_sums(values, 32, ScanKind::inclusive),
               case_of(static_cast<unsigned>(values.size()), shape, note));
  return std::move(launch);
}
Launch expect_warp_scans(Device& device, const WarpScan& scan, unsigned n, unsigned block,
                         const std::string& note = {}) {
  return expect_warp_scans(device, scan, whole_numbers<int>(n, seed_of(n, block)), scan.shape(n, block),
                           note);
}

template <const auto& scan>
Launch shown(Device& device, unsigned n) {
  return expect_warp_scans(device, scan, n, device.block_or(256));
}
void check_result(const Check& check, const WarpScan& scan) {
  for (Device& device : check.devices()) {
    for (const auto [n, block] : check.sizes()) expect_warp_scans(device, scan, n, block);
    expect_warp_scans(device, scan, 70'001, 1024);
    for (const auto& [n, more_blocks] : {std::pair{33u, 1u}, {100u, 300u}}) {
      LaunchShape shape = scan.shape(n, 64);
      shape.grid.x += more_blocks;
      expect_warp_scans(device, scan, whole_numbers<int>(n, n), shape, "more blocks than n needs");
    }
    for (const unsigned place : {0u, 17u, 31u})
      expect_warp_scans(device, scan, with_smallest_int(100, place), scan.shape(100, 64),
                        "in[" + std::to_string(place) + "] is the smallest int");
  }
}

/// Seeds of the random orders in which a warp scan must be right: more than elsewhere, because the chapter is
/// about the lanes of a warp.
constexpr unsigned seeds = 20;

void check_schedules(Check& check, const WarpScan& scan) {
  check.under_every_schedule(
      [&](Device& device, const std::string& schedule) {
        for (const unsigned n : {32u, 100u}) expect_warp_scans(device, scan, n, 128, schedule);
      },
      seeds);
}

void check_safety(Check& check, const WarpScan& scan) {
  const auto run = [&](Device& device, unsigned n, unsigned block) {
    return expect_warp_scans(device, scan, n, block);
  };
  for (const auto [n, block] : check.sizes()) check.expect_safe(run, n, block);
  check.under_every_schedule([&](Device&, const std::string&) { check.expect_safe(run, 100, 128); }, seeds);
}

constexpr unsigned full_n = 32 * 64;  ///< 64 whole warps, in blocks of any size

/// `scan` on n elements, after checking what all four must do.
LaunchAndWork check_common_technique(SimulatedDevice& device, const WarpScan& scan, unsigned n,
                                     unsigned block) {
  LaunchAndWork result =
      launch_and_work(device, [&](Device&) { return expect_warp_scans(device, scan, n, block); });
  const auto& [launch, work] = result;
  expect_at_most("block barriers", launch.count(&Counters::block_barriers), 0,
                 "a warp doesn't need a barrier of its block");
  expect_at_most("global load requests per warp", launch.count(&Counters::global_load_requests).per_warp(), 1,
                 "each element is read once, 32 at a time");
  expect_at_most("global load sectors per warp", launch.count(&Counters::global_load_sectors).per_warp(), 4,
                 "32 neighbouring ints are 4 sectors of 32 bytes");
  if (n == full_n) expect_shared_out(work, 4.0 * n);
  return result;
}

/// A step reads one slot, or two if it loads the lane's own value again; then perhaps the result: 5 * 2 + 1.
/// One lane that adds up all slots, or lanes that each add up those below them, need 31 loads and more; or 8
/// loads of 16 bytes, but then 31 additions, each with a test of the lane if all lanes make them. (The
/// solution has 51 instructions.)
Launch check_shared_steps(SimulatedDevice& device, const WarpScan& scan, unsigned n, unsigned block) {
  auto [launch, work] = check_common_technique(device, scan, n, block);
  const Count loads = launch.count(&Counters::shared_load_requests).per_warp();
  expect_at_most("shared load requests per warp", loads, 11,
                 "5 steps, one or two loads per step, and one for the result");
  if (n == full_n)
    expect_at_least("shared load requests per warp", loads, 5,
                    "5 steps, each with a load: this exercise is about shared memory");
  expect_at_most(
      "warp instructions per warp",
      launch.count(&Counters::warp_instructions).per_warp().only(work.most(&WarpWork::instructions)), 115,
      "five steps of a store, a load and an addition, the same in every lane");
  expect_at_most("shuffles", launch.count(&Counters::shuffles), 0, "this exercise is about shared memory");
  if (n != full_n) return launch;
  expect_lanes_work_together(work, 6,
                             "all lanes add in each of five steps; no lane does the others' additions");
  return launch;
}

/// Each shuffle of a scan at most doubles the number of values in a lane's sum: 32 are 5 doublings.
Launch check_shuffles(SimulatedDevice& device, const WarpScan& scan, unsigned n, unsigned block) {
  auto [launch, work] = check_common_technique(device, scan, n, block);
  expect_at_most("shuffles per warp", launch.count(&Counters::shuffles).per_warp(), 5,
                 "distances 1, 2, 4, 8, 16");
  expect_at_most("shared memory accesses", launch.count(shared_requests), 0, "values stay in registers");
  if (n == full_n)
    expect_at_most("divergent branches", launch.count(&Counters::divergent_branches), 0,
                   "all lanes shuffle, and no branch decides which of them add");
  return launch;
}

/// What is counted: `count(device, n, block)` for full warps, and for launches of the result check that
/// the seed draws.
using CountScan = void (*)(SimulatedDevice& device, unsigned n, unsigned block);

std::vector<CheckOf> scan_checks(const WarpScan& scan, CountScan count) {
  return {{Aspect::result, [&scan](Check& check) { check_result(check, scan); }},
          {Aspect::result, [&scan](Check& check) { check_schedules(check, scan); }, "whatever the lanes do"},
          {Aspect::technique,
           [count](Check& check) {
             for (const unsigned block : check.block_sizes()) {
               count(check.simulated(), full_n, block);
               for (const unsigned n : check.some_awkward_sizes(block)) count(check.simulated(), n, block);
             }
           }},
          {Aspect::safety, [&scan](Check& check) { check_safety(check, scan); }}};
}

void count_conditional(SimulatedDevice& device, unsigned n, unsigned block) {
  check_shared_steps(device, conditional, n, block);
}
void count_padded(SimulatedDevice& device, unsigned n, unsigned block) {
  const Launch launch = check_shared_steps(device, padded, n, block);
  expect_at_most("bank conflicts", launch.count(shared_load_and_store_conflicts), 0,
                 "32 neighbouring slots are in 32 banks");
  if (n != full_n) return;
  // What a step adds must be in shared memory before: the elements, and the sums after distances 1, 2, 4
  // and 8. The zeros are 16 words in addition to the 32 of the elements, and a store writes at most 32.
  expect_at_least(
      "shared store requests per warp", launch.count(&Counters::shared_store_requests).per_warp(), 6,
      "the zeros before the warp's slots, and a sum for each of 5 steps; with the zeros there, no lane "
      "has to test whether it adds");
  expect_at_most("divergent branches per warp", launch.count(&Counters::divergent_branches).per_warp(), 1,
                 "one where the zeros are written, none in the steps: a lane with no lane below it adds a "
                 "zero like any other value");
}
// Five steps of two instructions, the shuffle and the guarded addition, make 10. Finding the element, the
// guards, load and store take 20 in the solution: 30 in all. CUB's scan does the same with its distances and
// a copy in registers: 41. A lane test also needs a comparison and a selection per step: 48.
void count_by_predicate(SimulatedDevice& device, unsigned n, unsigned block) {
  const Launch launch = check_shuffles(device, by_predicate, n, block);
  expect_at_most("warp instructions per warp", launch.count(&Counters::warp_instructions).per_warp(), 42,
                 "a shuffle and an addition guarded by its predicate are two per step");
}
void count_by_lane_test(SimulatedDevice& device, unsigned n, unsigned block) {
  check_shuffles(device, by_lane_test, n, block);
}

const RegisterKernels warp_scan_kernels({
    {.kernel = scan_warp,
     .technique = "shared memory, a condition",
     .task = "scan each warp in shared memory, a condition per step",
     .run = shown<conditional>,
     .bytes_per_element = 8,
     .checks = scan_checks(conditional, count_conditional)},
    {.kernel = scan_warp_padded,
     .technique = "zeros instead of conditions",
     .task = "the same without a condition: zeros before each warp",
     .run = shown<padded>,
     .bytes_per_element = 8,
     .checks = scan_checks(padded, count_padded)},
    {.kernel = scan_warp_shuffle_ptx,
     .technique = "shuffle and its predicate",
     .task = "scan each warp in registers, with inline PTX",
     .run = shown<by_predicate>,
     .bytes_per_element = 8,
     .checks = scan_checks(by_predicate, count_by_predicate)},
    {.kernel = scan_warp_shuffle,
     .technique = "shuffle and a lane test",
     .task = "scan each warp in registers, with __shfl_up_sync",
     .run = shown<by_lane_test>,
     .bytes_per_element = 8,
     .checks = scan_checks(by_lane_test, count_by_lane_test)},
});
const RegisterChapter registered(this_chapter("Warp and block prefix sums"));

}  // namespace
