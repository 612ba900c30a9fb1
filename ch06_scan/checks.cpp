/// \file What chapter 6 asks of its kernels, first part: the scans of warps, and what there is to show.
/// Contracts: kernels.hpp. Blocks are in checks_blocks.cpp, the whole array in checks_device.cpp.

#include "ch06_scan/launches.hpp"
#include "ch06_scan/references.hpp"
#include "common/harness/chapter.hpp"
#include "common/harness/simulated_device.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch06;
using warpwise::simulator::Counters;

namespace {

template <const auto& scan>
Launch exhibit(Device& device, unsigned n) {
  return run(device, scan, n, 256);
}

const Exhibit exhibits[] = {
    {.kernel = scan_warp,
     .technique = "shared memory, a condition",
     .task = "scan each warp in shared memory, a condition a step",
     .run = exhibit<conditional>,
     .bytes_per_element = 8},
    {.kernel = scan_warp_padded,
     .technique = "zeros instead of conditions",
     .task = "the same without a condition: zeros ahead of each warp",
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
     .task = "scan each block, the own element included",
     .run = exhibit<scan_block_inclusive_int>,
     .bytes_per_element = 8},
    {.kernel = scan_block_exclusive_int,
     .technique = "the same, one lane up",
     .task = "scan each block, without the own element",
     .run = exhibit<scan_block_exclusive_int>,
     .bytes_per_element = 8},
    {.kernel = scan_block_inclusive_float,
     .technique = "the same, float",
     .task = "scan each block of floats, inclusive",
     .run = exhibit<scan_block_inclusive_float>,
     .bytes_per_element = 8},
    {.kernel = scan_block_exclusive_float,
     .technique = "the same, float",
     .task = "scan each block of floats, exclusive",
     .run = exhibit<scan_block_exclusive_float>,
     .bytes_per_element = 8},
    {.kernel = scan_block_inclusive_double,
     .technique = "the same, double",
     .task = "scan each block of doubles, inclusive",
     .run = exhibit<scan_block_inclusive_double>,
     .bytes_per_element = 16},
    {.kernel = scan_block_exclusive_double,
     .technique = "the same, double",
     .task = "scan each block of doubles, exclusive",
     .run = exhibit<scan_block_exclusive_double>,
     .bytes_per_element = 16},
    {.kernel = scan_sums,
     .technique = "one block walks",
     .task = "scan the sums of the blocks, with one block",
     .run = [](Device& device, unsigned n) { return run_scan_sums(device, n, 1024); },
     .largest_n = 1u << 20,
     .bytes_per_element = 8},
    {.kernel = add_sums,
     .technique = "what lies ahead of the block",
     .task = "add to each element the sum of all blocks ahead",
     .run = [](Device& device, unsigned n) { return run_add_sums(device, n, 256); },
     .bytes_per_element = 8},
    {.kernel = scan_device,
     .technique = "one launch, looking back",
     .task = "scan the whole array in one launch (advanced)",
     .run = run_scan_device,
     .bytes_per_element = 8},
};
const RegisterChapter registered({.name = WARPWISE_CHAPTER,
                                  .title = "Warp and block prefix sums",
                                  .source_folder = WARPWISE_SOURCE_DIR,
                                  .binary_folder = WARPWISE_BINARY_DIR,
                                  .exhibits = exhibits});

void expect_warp_scans(Device& device, const WarpScan& scan, unsigned n, unsigned block,
                       const std::string& note = {}) {
  const auto values = whole_numbers<int>(n, seed_of(n, block));
  const auto in = device.upload("in", values);
  const auto out = device.poisoned<int>("out", n);
  device.launch(scan.kernel, scan.shape(n, block), in, out, n);
  expect_equal(out, running_sums(values, 32, ScanKind::inclusive), {.n = n, .block = block, .note = note});
}
void check_result(const WarpScan& scan) {
  for (Device& device : devices())
    for (const unsigned block : block_sizes)
      for (const unsigned n : awkward_sizes(block)) expect_warp_scans(device, scan, n, block);
}

/// The schedules of which a right kernel must not take note: all that a warp's lanes may do.
std::vector<std::string> schedules() {
  std::vector<std::string> all{"converged", "lockstep"};
  for (unsigned seed = 1; seed <= 20; ++seed) all.push_back("split:" + std::to_string(seed));
  return all;
}
void check_schedules(const WarpScan& scan) {
  for (const std::string& name : schedules()) {
    const UnderSchedule schedule(simulated_device(), name);
    for (const unsigned n : {32u, 100u}) expect_warp_scans(simulated_device(), scan, n, 128, name);
  }
}

void check_safety(const WarpScan& scan) {
  for (const unsigned block : block_sizes)
    for (const unsigned n : awkward_sizes(block)) expect_no_findings(run(simulated_device(), scan, n, block));
  for (const std::string& name : schedules()) {
    const UnderSchedule schedule(simulated_device(), name);
    expect_no_findings(run(simulated_device(), scan, 100, 128));
  }
}

double per_warp(std::uint64_t count, unsigned warps) { return static_cast<double>(count) / warps; }

/// The counters of `scan` on whole warps, after what is asked of all four.
Counters common_technique(const WarpScan& scan, unsigned block, unsigned warps) {
  const Counters counters = run(simulated_device(), scan, 32 * warps, block).counters();
  expect_at_most("block barriers", static_cast<double>(counters.block_barriers), 0,
                 "a warp needs no barrier of its block");
  expect_at_most("global load requests a warp", per_warp(counters.global_load_requests, warps), 1,
                 "each element is read once, 32 at a time");
  expect_at_most("global load sectors a warp", per_warp(counters.global_load_sectors, warps), 4,
                 "32 neighbouring ints are 4 sectors of 32 bytes");
  return counters;
}

/// A step reads one slot, or two where the own value is fetched again; then perhaps the result: 5 * 2 + 1.
/// One lane that adds up all slots, or lanes that each add up those below them, need 31 and more.
void check_shared_steps(const WarpScan& scan, unsigned block, unsigned warps) {
  const Counters counters = common_technique(scan, block, warps);
  expect_at_most("shared load requests a warp", per_warp(counters.shared_load_requests, warps), 11,
                 "5 steps, one or two loads a step, and one for the result");
  expect_at_least("shared load requests a warp", per_warp(counters.shared_load_requests, warps), 5,
                  "5 steps, each with a load: this exercise is about shared memory");
  expect_at_most("shuffles", static_cast<double>(counters.shuffles), 0,
                 "this exercise is about shared memory");
}

/// A scan doubles at best with each shuffle how many values a lane has seen: 32 are 5 doublings.
Counters check_shuffles(const WarpScan& scan, unsigned block, unsigned warps) {
  const Counters counters = common_technique(scan, block, warps);
  expect_equal_count("shuffles a warp", per_warp(counters.shuffles, warps), 5, "distances 1, 2, 4, 8, 16");
  expect_at_most("shared memory accesses",
                 static_cast<double>(counters.shared_load_requests + counters.shared_store_requests +
                                     counters.shared_atomic_requests),
                 0, "values stay in registers");
  expect_at_most("divergent branches", static_cast<double>(counters.divergent_branches), 0,
                 "all lanes shuffle; which of them add is decided without a branch");
  return counters;
}

}  // namespace

TEST_CASE("scan_warp: result", "[scan_warp][result]") { check_result(conditional); }
TEST_CASE("scan_warp: result, whatever the lanes do", "[scan_warp][result]") { check_schedules(conditional); }
TEST_CASE("scan_warp: technique", "[scan_warp][technique]") {
  for (const unsigned block : block_sizes) check_shared_steps(conditional, block, 64);
}
TEST_CASE("scan_warp: safety", "[scan_warp][safety]") { check_safety(conditional); }

TEST_CASE("scan_warp_padded: result", "[scan_warp_padded][result]") { check_result(padded); }
TEST_CASE("scan_warp_padded: result, whatever the lanes do", "[scan_warp_padded][result]") {
  check_schedules(padded);
}
TEST_CASE("scan_warp_padded: technique", "[scan_warp_padded][technique]") {
  for (const unsigned block : block_sizes) {
    check_shared_steps(padded, block, 64);
    const Counters counters = run(simulated_device(), padded, 2048, block).counters();
    // What a step adds must lie in shared memory before: the elements, and the sums after distances 1, 2, 4
    // and 8. The zeros are 16 words beside the 32 of the elements, and a store takes 32 at most.
    expect_at_least(
        "shared store requests a warp", per_warp(counters.shared_store_requests, 64), 6,
        "the zeros ahead of the warp, and a sum for each of 5 steps; with the zeros there, no lane "
        "need ask whether it adds");
    expect_at_most("divergent branches", static_cast<double>(counters.divergent_branches), 0,
                   "a lane with nothing below it adds a zero like any other value");
    expect_at_most(
        "bank conflicts",
        static_cast<double>(counters.shared_load_bank_conflicts + counters.shared_store_bank_conflicts), 0,
        "32 neighbouring slots lie in 32 banks");
  }
}
TEST_CASE("scan_warp_padded: safety", "[scan_warp_padded][safety]") { check_safety(padded); }

TEST_CASE("scan_warp_shuffle_ptx: result", "[scan_warp_shuffle_ptx][result]") { check_result(by_predicate); }
TEST_CASE("scan_warp_shuffle_ptx: result, whatever the lanes do", "[scan_warp_shuffle_ptx][result]") {
  check_schedules(by_predicate);
}
// A step of two instructions, the shuffle and the guarded addition, makes 10. Finding the element, the
// guards, load and store take 20 in the solution: 30 in all. CUB's scan does the same with its distances and
// a copy in registers, 41. A lane test needs a comparison and a selection a step besides: 48.
TEST_CASE("scan_warp_shuffle_ptx: technique", "[scan_warp_shuffle_ptx][technique]") {
  for (const unsigned block : block_sizes) {
    const Counters counters = check_shuffles(by_predicate, block, 64);
    expect_at_most("warp instructions a warp", per_warp(counters.warp_instructions, 64), 42,
                   "a shuffle and an addition guarded by its predicate are two a step");
  }
}
TEST_CASE("scan_warp_shuffle_ptx: safety", "[scan_warp_shuffle_ptx][safety]") { check_safety(by_predicate); }

TEST_CASE("scan_warp_shuffle: result", "[scan_warp_shuffle][result]") { check_result(by_lane_test); }
TEST_CASE("scan_warp_shuffle: result, whatever the lanes do", "[scan_warp_shuffle][result]") {
  check_schedules(by_lane_test);
}
TEST_CASE("scan_warp_shuffle: technique", "[scan_warp_shuffle][technique]") {
  for (const unsigned block : block_sizes) check_shuffles(by_lane_test, block, 64);
}
TEST_CASE("scan_warp_shuffle: safety", "[scan_warp_shuffle][safety]") { check_safety(by_lane_test); }
