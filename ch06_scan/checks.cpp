/// \file What chapter 6 requires of its kernels, first part: the scans of warps, and the list of what is
/// shown. Contracts: kernels.hpp. Blocks are in checks_blocks.cpp, the whole array in checks_device.cpp, and
/// the parts of the single launch in checks_parts.cpp.

#include "ch06_scan/affine_maps.hpp"
#include "ch06_scan/launches.hpp"
#include "ch06_scan/references.hpp"
#include "common/harness/chapter.hpp"
#include "common/harness/work.hpp"

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
Launch exhibit(Device& device, unsigned n) {
  return expect_warp_scans(device, scan, n, device.block_or(256));
}
template <const auto& kernel, ScanKind kind>
Launch exhibit_block_scan(Device& device, unsigned n) {
  return run(device, kernel, kind, n, device.block_or(256));
}

const Exhibit exhibits[] = {
    {.kernel = scan_warp,
     .technique = "shared memory, a condition",
     .task = "scan each warp in shared memory, a condition per step",
     .run = exhibit<conditional>,
     .bytes_per_element = 8},
    {.kernel = scan_warp_padded,
     .technique = "zeros instead of conditions",
     .task = "the same without a condition: zeros before each warp",
     .run = exhibit<padded>,
     .bytes_per_element = 8},
    {.kernel = scan_warp_shuffle_ptx,
     .technique = "shuffle and its predicate",
     .task = "scan each warp in registers, with inline PTX",
     .run = exhibit<by_predicate>,
     .bytes_per_element = 8},
    {.kernel = scan_warp_shuffle,
     .technique = "shuffle and a lane test",
     .task = "scan each warp in registers, with __shfl_up_sync",
     .run = exhibit<by_lane_test>,
     .bytes_per_element = 8},
    {.kernel = scan_block_inclusive_int,
     .technique = "warps, totals, warps",
     .task = "scan each block, including the element itself",
     .run = exhibit_block_scan<scan_block_inclusive_int, ScanKind::inclusive>,
     .bytes_per_element = 8},
    {.kernel = scan_block_exclusive_int,
     .technique = "the same, one lane up",
     .task = "scan each block, without the element itself",
     .run = exhibit_block_scan<scan_block_exclusive_int, ScanKind::exclusive>,
     .bytes_per_element = 8},
    {.kernel = scan_block_inclusive_float,
     .technique = "the same, float",
     .task = "scan each block of floats, inclusive",
     .run = exhibit_block_scan<scan_block_inclusive_float, ScanKind::inclusive>,
     .bytes_per_element = 8},
    {.kernel = scan_block_exclusive_float,
     .technique = "the same, float",
     .task = "scan each block of floats, exclusive",
     .run = exhibit_block_scan<scan_block_exclusive_float, ScanKind::exclusive>,
     .bytes_per_element = 8},
    {.kernel = scan_block_inclusive_double,
     .technique = "the same, double",
     .task = "scan each block of doubles, inclusive",
     .run = exhibit_block_scan<scan_block_inclusive_double, ScanKind::inclusive>,
     .bytes_per_element = 16},
    {.kernel = scan_block_exclusive_double,
     .technique = "the same, double",
     .task = "scan each block of doubles, exclusive",
     .run = exhibit_block_scan<scan_block_exclusive_double, ScanKind::exclusive>,
     .bytes_per_element = 16},
    {.kernel = scan_sums,
     .technique = "one block walks",
     .task = "scan the sums of the blocks, with one block",
     .run = with_blocks<run_scan_sums, 1024>,
     .largest_n = 1u << 20,
     .bytes_per_element = 8},
    {.kernel = add_sums,
     .technique = "the sum ahead of the block",
     .task = "add to each element the sum of all blocks ahead",
     .run = with_blocks<run_add_sums>,
     .bytes_per_element = 8},
    {.kernel = scan_tile_rows,
     .technique = "128 elements a row",
     .task = "part 1 of one launch: each warp scans its rows",
     .run = run_scan_tile_rows,
     .bytes_per_element = 8},
    {.kernel = find_ahead,
     .technique = "looking back",
     .task = "part 2 of one launch: find the sum ahead of each tile",
     .run = run_find_ahead,
     .largest_n = 1u << 12,
     .bytes_per_element = 8},
    {.kernel = scan_device,
     .technique = "one launch, looking back",
     .task = "scan the whole array in one launch (advanced)",
     .run = run_scan_device,
     .bytes_per_element = 8},
    {.kernel = reduce_affine,
     .technique = "neighbours combined, in order",
     .task = "apply each block's maps x -> a x + b one by one",
     .run = with_blocks<run_affine>,
     .largest_n = 1u << 24,
     .bytes_per_element = 8},
};
const RegisterChapter registered(this_chapter("Warp and block prefix sums", exhibits));

void check_result(const WarpScan& scan) {
  for (Device& device : devices()) {
    for (const auto [n, block] : every_size_and_block()) expect_warp_scans(device, scan, n, block);
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

void check_schedules(const WarpScan& scan) {
  under_every_schedule(
      [&](Device& device, const std::string& schedule) {
        for (const unsigned n : {32u, 100u}) expect_warp_scans(device, scan, n, 128, schedule);
      },
      seeds);
}

void check_safety(const WarpScan& scan) {
  for (const auto [n, block] : every_size_and_block())
    expect_no_findings(expect_warp_scans(simulated_device(), scan, n, block));
  under_every_schedule(
      [&](Device& device, const std::string&) {
        expect_no_findings(expect_warp_scans(device, scan, 100, 128));
      },
      seeds);
}

constexpr unsigned full_n = 32 * 64;  ///< 64 whole warps, in blocks of any size

/// `scan` on n elements, after checking what all four must do.
LaunchAndWork check_common_technique(const WarpScan& scan, unsigned n, unsigned block) {
  LaunchAndWork result =
      launch_and_work([&] { return expect_warp_scans(simulated_device(), scan, n, block); });
  const auto& [launch, work] = result;
  expect_at_most("block barriers", launch.count(&Counters::block_barriers), 0,
                 "a warp doesn't need a barrier of its block");
  expect_at_most("global load requests a warp", launch.count(&Counters::global_load_requests).per_warp(), 1,
                 "each element is read once, 32 at a time");
  expect_at_most("global load sectors a warp", launch.count(&Counters::global_load_sectors).per_warp(), 4,
                 "32 neighbouring ints are 4 sectors of 32 bytes");
  if (n == full_n) expect_shared_out(work, 4.0 * n);
  return result;
}

/// A step reads one slot, or two if it loads the lane's own value again; then perhaps the result: 5 * 2 + 1.
/// One lane that adds up all slots, or lanes that each add up those below them, need 31 loads and more; or 8
/// loads of 16 bytes, but then 31 additions, each with a test of the lane if all lanes make them. (The
/// solution has 51 instructions.)
Launch check_shared_steps(const WarpScan& scan, unsigned n, unsigned block) {
  auto [launch, work] = check_common_technique(scan, n, block);
  const Count loads = launch.count(&Counters::shared_load_requests).per_warp();
  expect_at_most("shared load requests a warp", loads, 11,
                 "5 steps, one or two loads per step, and one for the result");
  if (n == full_n)
    expect_at_least("shared load requests a warp", loads, 5,
                    "5 steps, each with a load: this exercise is about shared memory");
  expect_at_most("warp instructions a warp",
                 launch.count(&Counters::warp_instructions).per_warp().only(work.most_instructions()), 115,
                 "five steps of a store, a load and an addition, the same in every lane");
  expect_at_most("shuffles", launch.count(&Counters::shuffles), 0, "this exercise is about shared memory");
  if (n != full_n) return launch;
  expect_lanes_work_together(work, 6,
                             "all lanes add in each of five steps; no lane does the others' additions");
  return launch;
}

/// Each shuffle of a scan at most doubles the number of values in a lane's sum: 32 are 5 doublings.
Launch check_shuffles(const WarpScan& scan, unsigned n, unsigned block) {
  auto [launch, work] = check_common_technique(scan, n, block);
  expect_at_most("shuffles a warp", launch.count(&Counters::shuffles).per_warp(), 5,
                 "distances 1, 2, 4, 8, 16");
  expect_at_most("shared memory accesses", launch.count(shared_requests), 0, "values stay in registers");
  if (n == full_n)
    expect_at_most("divergent branches", launch.count(&Counters::divergent_branches), 0,
                   "all lanes shuffle, and no branch decides which of them add");
  return launch;
}

/// Calls `check(n, block)` for full warps, and for launches of the result check that the seed draws.
template <class Check>
void for_counted_sizes(Check check) {
  for (const unsigned block : every_block_size) {
    check(full_n, block);
    for (const unsigned n : some_awkward_sizes(block)) check(n, block);
  }
}

}  // namespace

WARPWISE_CHECK(scan_warp, result) { check_result(conditional); }
WARPWISE_CHECK(scan_warp, result, "whatever the lanes do") { check_schedules(conditional); }
WARPWISE_CHECK(scan_warp, technique) {
  for_counted_sizes([](unsigned n, unsigned block) { check_shared_steps(conditional, n, block); });
}
WARPWISE_CHECK(scan_warp, safety) { check_safety(conditional); }

WARPWISE_CHECK(scan_warp_padded, result) { check_result(padded); }
WARPWISE_CHECK(scan_warp_padded, result, "whatever the lanes do") { check_schedules(padded); }
WARPWISE_CHECK(scan_warp_padded, technique) {
  for_counted_sizes([](unsigned n, unsigned block) {
    const Launch launch = check_shared_steps(padded, n, block);
    expect_at_most("bank conflicts", launch.count(shared_load_and_store_conflicts), 0,
                   "32 neighbouring slots are in 32 banks");
    if (n != full_n) return;
    // What a step adds must be in shared memory before: the elements, and the sums after distances 1, 2, 4
    // and 8. The zeros are 16 words in addition to the 32 of the elements, and a store writes at most 32.
    expect_at_least(
        "shared store requests a warp", launch.count(&Counters::shared_store_requests).per_warp(), 6,
        "the zeros before the warp's slots, and a sum for each of 5 steps; with the zeros there, no lane "
        "has to test whether it adds");
    expect_at_most("divergent branches a warp", launch.count(&Counters::divergent_branches).per_warp(), 1,
                   "one where the zeros are written, none in the steps: a lane with no lane below it adds a "
                   "zero like any other value");
  });
}
WARPWISE_CHECK(scan_warp_padded, safety) { check_safety(padded); }

WARPWISE_CHECK(scan_warp_shuffle_ptx, result) { check_result(by_predicate); }
WARPWISE_CHECK(scan_warp_shuffle_ptx, result, "whatever the lanes do") { check_schedules(by_predicate); }
// Five steps of two instructions, the shuffle and the guarded addition, make 10. Finding the element, the
// guards, load and store take 20 in the solution: 30 in all. CUB's scan does the same with its distances and
// a copy in registers: 41. A lane test also needs a comparison and a selection per step: 48.
WARPWISE_CHECK(scan_warp_shuffle_ptx, technique) {
  for_counted_sizes([](unsigned n, unsigned block) {
    const Launch launch = check_shuffles(by_predicate, n, block);
    expect_at_most("warp instructions a warp", launch.count(&Counters::warp_instructions).per_warp(), 42,
                   "a shuffle and an addition guarded by its predicate are two per step");
  });
}
WARPWISE_CHECK(scan_warp_shuffle_ptx, safety) { check_safety(by_predicate); }

WARPWISE_CHECK(scan_warp_shuffle, result) { check_result(by_lane_test); }
WARPWISE_CHECK(scan_warp_shuffle, result, "whatever the lanes do") { check_schedules(by_lane_test); }
WARPWISE_CHECK(scan_warp_shuffle, technique) {
  for_counted_sizes([](unsigned n, unsigned block) { check_shuffles(by_lane_test, n, block); });
}
WARPWISE_CHECK(scan_warp_shuffle, safety) { check_safety(by_lane_test); }
