/// \file What chapter 6 asks of its kernels, first part: the scans of warps, of 32 elements or of the rows of
/// a tile. Contracts: kernels.hpp. Blocks are in blocks.cpp, what is done with their sums in sums.cpp, and
/// the scan of a whole array in one launch in device.cpp.

#include <optional>

#include "ch06_scan/checks/launches.hpp"
#include "ch06_scan/checks/steps.hpp"
#include "common/harness/check/cases.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch06;

namespace {

/// out[i] is the sum of in[32 * (i / 32)] to in[i].
auto EqualsWarpScans(const std::vector<int>& in) {
  return EqualsRunningSums(in, stretches_of(32), ScanKind::inclusive);
}

/// out[i] is the sum of its warp's stretch of the tile up to in[i]; totals[w] that of stretch w.
auto EqualsRowScans(const std::vector<int>& in) {
  return EqualsScans(in, stretches_of(stretch_elements), ScanKind::inclusive);
}

Scanned<int> scan_rows(Device& device, const std::vector<int>& values) {
  const auto n = static_cast<unsigned>(values.size());
  const unsigned tiles = tiles_for(n);
  const auto in = device.upload("in", values);
  auto out = device.poisoned<int>("out", n);
  auto totals = device.poisoned<int>("totals", std::size_t{tiles} * stretches_a_tile);
  Launch launch = device.launch(scan_tile_rows, {.grid = tiles, .block = tile_threads}, in, out, totals, n);
  return {std::move(launch), std::move(out), std::move(totals)};
}

// --- What is asked of all four scans of 32: each function is a test case of each, see below --------------

void warps_at_awkward_sizes(const WarpScan& scan) {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto in = whole_numbers<int>(n, seed_of(n, block));
  const auto out = scan_warps(device, scan, in, scan.shape(n, block)).out;
  CHECK_THAT(out, EqualsWarpScans(in));
}

void large_and_empty_warps(const WarpScan& scan) {
  Device& device = GENERATE(devices());
  const auto [n, block, empty_blocks] =
      GENERATE(table<unsigned, unsigned, unsigned>({{70'001, 1024, 0}, {33, 64, 1}, {100, 64, 300}}));
  const auto in = whole_numbers<int>(n, n);
  LaunchShape shape = scan.shape(n, block);
  shape.grid.x += empty_blocks;
  const auto out = scan_warps(device, scan, in, shape).out;
  INFO((empty_blocks == 0 ? "more elements than 16 bits count" : "more blocks than n needs"));
  CHECK_THAT(out, EqualsWarpScans(in));
}

void warps_with_smallest_int(const WarpScan& scan) {
  Device& device = GENERATE(devices());
  const unsigned place = GENERATE(0u, 17u, 31u);
  const auto in = with_smallest_int(100, place);
  const auto out = scan_warps(device, scan, in, scan.shape(100, 64)).out;
  INFO("in[" << place << "] is the smallest int");
  CHECK_THAT(out, EqualsWarpScans(in));
}

// More random orders than elsewhere, because the chapter is about the lanes of a warp.
void warps_in_any_order(const WarpScan& scan) {
  SimulatedDevice& device = GENERATE(every_order(20));
  const unsigned n = GENERATE(32u, 100u);
  const auto in = whole_numbers<int>(n, seed_of(n, 128));
  const auto out = scan_warps(device, scan, in, scan.shape(n, 128)).out;
  CHECK_THAT(out, EqualsWarpScans(in));
}

void warps_without_findings(const WarpScan& scan) {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto in = whole_numbers<int>(n, seed_of(n, block));
  const auto [launch, out] = scan_warps(device, scan, in, scan.shape(n, block));
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsWarpScans(in));
}

void orders_of_lanes_without_findings(const WarpScan& scan) {
  SimulatedDevice& device = GENERATE(every_order(20));
  const auto in = whole_numbers<int>(100, seed_of(100, 128));
  const auto [launch, out] = scan_warps(device, scan, in, scan.shape(100, 128));
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsWarpScans(in));
}

void register_warp_cases(const WarpScan& scan) {
  register_cases(scan.kernel, scan,
                 {
                     {"the scan of each warp", Aspect::result, warps_at_awkward_sizes},
                     {"large, and with empty blocks", Aspect::result, large_and_empty_warps},
                     {"the smallest int", Aspect::result, warps_with_smallest_int},
                     {"whatever the lanes do", Aspect::result, warps_in_any_order},
                     {"no findings", Aspect::safety, warps_without_findings},
                     {"no findings in any order", Aspect::safety, orders_of_lanes_without_findings},
                 });
}
const bool warp_cases = (register_warp_cases(conditional), register_warp_cases(padded),
                         register_warp_cases(by_predicate), register_warp_cases(by_lane_test), true);

// --- Technique: what each of them is about ----------------------------------------------------------------

constexpr unsigned full_n = 32 * 64;  ///< 64 whole warps, in blocks of any size
/// Of launches that are counted: who adds what is asked of few, since it takes long.
bool is_followed(unsigned n, unsigned block) { return n == full_n && (block == 32 || block == 1024); }

/// What all four must do: `run` is a scan of n elements.
void check_loads(const LaunchAndWork& run, unsigned n) {
  const auto& [launch, work] = run;
  CHECK_THAT(launch.count(&Counters::block_barriers),
             AtMost(0, "block barriers", "a warp doesn't need a barrier of its block"));
  CHECK_THAT(launch, ReadsNothingTwice(n, "32 neighbouring ints are 4 sectors of 32 bytes"));
  CHECK_THAT(run, LoadsEachElementOnce(n));
  if (n == full_n) CHECK_THAT(work, IsSharedOut(4.0 * n));
}

/// A step reads one slot, or two if it loads the lane's own value again; then perhaps the result: 5 * 2 + 1.
/// One lane that adds up all slots, or lanes that each add up those below them, need 31 loads and more; or 8
/// loads of 16 bytes, but then 31 additions, each with a test of the lane if all lanes make them. (The
/// solution has 51 instructions.)
void check_shared_steps(const LaunchAndWork& run, unsigned n) {
  const auto& [launch, work] = run;
  const Count loads = launch.count(&Counters::shared_load_requests).per_warp();
  CHECK_THAT(loads, AtMost(11, "shared load requests per warp",
                           "5 steps, one or two loads per step, and one for the result"));
  if (n == full_n)
    CHECK_THAT(loads, AtLeast(5, "shared load requests per warp",
                              "5 steps, each with a load: this exercise is about shared memory"));
  CHECK_THAT(launch.count(&Counters::warp_instructions).per_warp().only(work.most(&WarpWork::instructions)),
             AtMost(115, "warp instructions per warp",
                    "five steps of a store, a load and an addition, the same in every lane"));
  CHECK_THAT(launch.count(&Counters::shuffles),
             AtMost(0, "shuffles", "this exercise is about shared memory"));
  if (n == full_n)
    CHECK_THAT(work, LanesWorkTogether(
                         6, "all lanes add in each of five steps; no lane does the others' additions"));
}

/// Each shuffle of a scan at most doubles the number of values in a lane's sum: 32 are 5 doublings.
void check_shuffles(const LaunchAndWork& run, unsigned n) {
  const Launch& launch = run.launch;
  CHECK_THAT(launch.count(&Counters::shuffles).per_warp(),
             AtMost(5, "shuffles per warp", "distances 1, 2, 4, 8, 16"));
  CHECK_THAT(launch.count(shared_requests), AtMost(0, "shared memory accesses", "values stay in registers"));
  if (n == full_n)
    CHECK_THAT(launch.count(&Counters::divergent_branches),
               AtMost(0, "divergent branches", "all lanes shuffle, and no branch decides which of them add"));
}

}  // namespace

// Counted are full warps, and launches of the result's cases that the seed draws.

TEST_CASE("scan_warp: five steps in shared memory", "[scan_warp][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(values({full_n}), some_awkward_sizes(block));
  const auto in = whole_numbers<int>(n, seed_of(n, block));
  const auto [run, out] = counted(device, scan_warps, conditional, in, conditional.shape(n, block));
  check_loads(run, n);
  check_shared_steps(run, n);
  if (is_followed(n, block)) CHECK_THAT(out, AddsAtEachDistance());
  CHECK_THAT(out, EqualsWarpScans(in));
}

TEST_CASE("scan_warp_padded: five steps without a condition", "[scan_warp_padded][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(values({full_n}), some_awkward_sizes(block));
  const auto in = whole_numbers<int>(n, seed_of(n, block));
  const auto [run, out] = counted(device, scan_warps, padded, in, padded.shape(n, block));
  check_loads(run, n);
  check_shared_steps(run, n);
  CHECK_THAT(run.launch.count(shared_load_and_store_conflicts),
             AtMost(0, "bank conflicts", "32 neighbouring slots are in 32 banks"));
  if (n == full_n) {
    // What a step adds must be in shared memory before: the elements, and the sums after distances 1, 2, 4
    // and 8. The zeros are 16 words in addition to the 32 of the elements, and a store writes at most 32.
    CHECK_THAT(run.launch.count(&Counters::shared_store_requests).per_warp(),
               AtLeast(6, "shared store requests per warp",
                       "the zeros before the warp's slots, and a sum for each of 5 steps; with the zeros "
                       "there, no lane has to test whether it adds"));
    CHECK_THAT(run.launch.count(&Counters::divergent_branches).per_warp(),
               AtMost(1, "divergent branches per warp",
                      "one where the zeros are written, none in the steps: a lane with no lane below it "
                      "adds a zero like any other value"));
  }
  if (is_followed(n, block)) CHECK_THAT(out, AddsAtEachDistance());
  CHECK_THAT(out, EqualsWarpScans(in));
}

TEST_CASE("scan_warp_padded: 16 zeros", "[scan_warp_padded][technique]") {
  SimulatedDevice& device = simulated();
  const auto in = whole_numbers<int>(64, 1);
  std::optional<Written<int>> written;
  const auto unwritten =
      unwritten_slot(device, [&] { written.emplace(scan_warps(device, padded, in, padded.shape(64, 64))); });
  CHECK_THAT(written->out, EqualsWarpScans(in));
  CHECK_THAT(unwritten, IsNowhere("16 zeros stand before the elements of a warp: write them"));
}

// Five steps of two instructions, the shuffle and the guarded addition, make 10. Finding the element, the
// guards, load and store take 20 in the solution: 30 in all. CUB's scan does the same with its distances and
// a copy in registers: 41. A lane test also needs a comparison and a selection per step: 48.
TEST_CASE("scan_warp_shuffle_ptx: five guarded additions", "[scan_warp_shuffle_ptx][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(values({full_n}), some_awkward_sizes(block));
  const auto in = whole_numbers<int>(n, seed_of(n, block));
  const auto [run, out] = counted(device, scan_warps, by_predicate, in, by_predicate.shape(n, block));
  check_loads(run, n);
  check_shuffles(run, n);
  CHECK_THAT(run.launch.count(&Counters::warp_instructions).per_warp(),
             AtMost(42, "warp instructions per warp",
                    "a shuffle and an addition guarded by its predicate are two per step"));
  CHECK_THAT(run, GuardsWhatItAdds());
  if (is_followed(n, block)) CHECK_THAT(out, AddsAtEachDistance());
  CHECK_THAT(out, EqualsWarpScans(in));
}

TEST_CASE("scan_warp_shuffle: five shuffles", "[scan_warp_shuffle][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(values({full_n}), some_awkward_sizes(block));
  const auto in = whole_numbers<int>(n, seed_of(n, block));
  const auto [run, out] = counted(device, scan_warps, by_lane_test, in, by_lane_test.shape(n, block));
  check_loads(run, n);
  check_shuffles(run, n);
  if (is_followed(n, block)) CHECK_THAT(out, AddsAtEachDistance());
  CHECK_THAT(out, EqualsWarpScans(in));
}

// --- scan_tile_rows ---------------------------------------------------------------------------------------

TEST_CASE("scan_tile_rows: around rows, stretches and tiles", "[scan_tile_rows][result]") {
  Device& device = GENERATE(devices());
  const unsigned n =
      GENERATE(values({0u, 1u, 3u, 4u, 127u, 128u, 129u, stretch_elements - 1, stretch_elements + 1,
                       tile_elements, tile_elements + 5, 3 * tile_elements - 600}));
  const auto in = whole_numbers<int>(n, n);
  const auto scanned = scan_rows(device, in);
  CHECK_THAT(scanned, EqualsRowScans(in));
}

TEST_CASE("scan_tile_rows: the smallest int", "[scan_tile_rows][result]") {
  Device& device = GENERATE(devices());
  const auto in = with_smallest_int(600, 200);
  const auto scanned = scan_rows(device, in);
  INFO("in[200] is the smallest int");
  CHECK_THAT(scanned, EqualsRowScans(in));
}

TEST_CASE("scan_tile_rows: in any order", "[scan_tile_rows][result]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto in = whole_numbers<int>(700, 1);
  const auto scanned = scan_rows(device, in);
  CHECK_THAT(scanned, EqualsRowScans(in));
}

TEST_CASE("scan_tile_rows: rows, one after the other", "[scan_tile_rows][technique]") {
  SimulatedDevice& device = simulated();
  constexpr unsigned tiles = 4, n = tiles * tile_elements;
  const auto in = whole_numbers<int>(n, n);
  std::optional<Scanned<int>> scanned;
  const Work work = work_of(device, [&] { scanned.emplace(scan_rows(device, in)); });
  const Launch& launch = scanned->launch;
  CHECK_THAT(launch.count(&Counters::global_load_sectors),
             AtMost(n / 8.0, "global load sectors", "each element is read once"));
  CHECK_THAT(launch.count(&Counters::global_store_sectors),
             AtMost(n / 8.0 + tiles * stretches_a_tile, "global store sectors",
                    "each element is written once, and a total for each warp"));
  CHECK_THAT(launch.count(&Counters::shuffles) / (n / 128.0),
             AtMost(7, "shuffles for 128 elements",
                    "five for the scan of the lanes' sums, one to pass the row's sum on"));
  CHECK_THAT(launch, UsesNoSharedMemory("a warp doesn't depend on any other warp"));
  CHECK_THAT(launch.count(&Counters::block_barriers),
             AtMost(0, "block barriers", "a warp doesn't depend on any other warp"));
  CHECK_THAT(launch, HasNoAtomics("atomics give sums, but not in order"));
  CHECK_THAT(work, IsSharedOut(4.0 * n));
  CHECK_THAT(*scanned, EqualsRowScans(in));
}

// An incomplete tile, and the smallest int, make no difference.
TEST_CASE("scan_tile_rows: rows of any elements", "[scan_tile_rows][technique]") {
  constexpr unsigned n = 2 * tile_elements - 701;
  const auto rows_of = [](const std::vector<int>& in) {
    std::optional<Scanned<int>> scanned;
    const LaunchAndWork run = launch_and_work(simulated(), [&](Device& device) {
      scanned.emplace(scan_rows(device, in));
      return scanned->launch;
    });
    CHECK_THAT(run, LoadsEachElementOnce(n));
    CHECK_THAT(run, StoresEachElementOnce(n));
    CHECK_THAT(run, HasNoExchangesInCode(Exchanges::atomics));
    CHECK_THAT(*scanned, EqualsRowScans(in));
    return run.launch.count(&Counters::shuffles);
  };
  const Count usual = rows_of(whole_numbers<int>(n, n)), with_smallest = rows_of(with_smallest_int(n, 200));
  CHECK_THAT(with_smallest, AtMost(usual.value(), "shuffles where in[200] is the smallest int",
                                   "as many as for any others"));
}

TEST_CASE("scan_tile_rows: no findings", "[scan_tile_rows][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned n = GENERATE(0u, 1u, 31u, 1025u, tile_elements - 1, tile_elements + 3);
  const auto in = whole_numbers<int>(n, n);
  const auto scanned = scan_rows(device, in);
  CHECK_THAT(scanned.launch, HasNoFindings());
  CHECK_THAT(scanned, EqualsRowScans(in));
}

TEST_CASE("scan_tile_rows: no findings in any order", "[scan_tile_rows][safety]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto in = whole_numbers<int>(700, 700);
  const auto scanned = scan_rows(device, in);
  CHECK_THAT(scanned.launch, HasNoFindings());
  CHECK_THAT(scanned, EqualsRowScans(in));
}

// --- What the chapter shows of these kernels --------------------------------------------------------------

namespace {

/// The launches that are counted, drawn and, on a GPU, timed.
template <const auto& scan>
Launch show_warp_scans(Device& device, unsigned n) {
  const unsigned block = device.block_or(256);
  const auto in = whole_numbers<int>(n, seed_of(n, block));
  auto [launch, out] = scan_warps(device, scan, in, scan.shape(n, block));
  if (!launch.is_timed()) require(out, EqualsWarpScans(in));
  return std::move(launch);
}
Launch show_tile_rows(Device& device, unsigned n) {
  const auto in = whole_numbers<int>(n, n);
  auto scanned = scan_rows(device, in);
  if (!scanned.launch.is_timed()) require(scanned, EqualsRowScans(in));
  return std::move(scanned.launch);
}

const RegisterKernels warp_scan_kernels({
    {.kernel = scan_warp,
     .technique = "shared memory, a condition",
     .task = "scan each warp in shared memory, a condition per step",
     .run = show_warp_scans<conditional>,
     .bytes_per_element = 8},
    {.kernel = scan_warp_padded,
     .technique = "zeros instead of conditions",
     .task = "the same without a condition: zeros before each warp",
     .run = show_warp_scans<padded>,
     .bytes_per_element = 8},
    {.kernel = scan_warp_shuffle_ptx,
     .technique = "shuffle and its predicate",
     .task = "scan each warp in registers, with inline PTX",
     .run = show_warp_scans<by_predicate>,
     .bytes_per_element = 8},
    {.kernel = scan_warp_shuffle,
     .technique = "shuffle and a lane test",
     .task = "scan each warp in registers, with __shfl_up_sync",
     .run = show_warp_scans<by_lane_test>,
     .bytes_per_element = 8},
    {.kernel = scan_tile_rows,
     .technique = "128 elements per row",
     .task = "part 1 of one launch: each warp scans its rows",
     .run = show_tile_rows,
     .bytes_per_element = 8},
});
const RegisterChapter registered(this_chapter("Warp and block prefix sums"));

}  // namespace
