/// \file What chapter 4 asks of its kernels of one warp a block: result, technique, safety. Contracts:
/// kernels.hpp. What each block's sum is, and the values that are tried: block_sums.hpp.

#include <optional>
#include <string>
#include <utility>

#include "ch04_warp_unroll/checks/block_sums.hpp"
#include "ch04_warp_unroll/kernels.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch04;

namespace {

/// `grid` blocks of one warp. The kernels declare their shared memory themselves.
Written<float> launch_warps(Device& device, const InOutKernel<float>& kernel, const std::vector<float>& in,
                            unsigned grid) {
  return launch_sums(device, kernel, in, {.grid = grid, .block = 32});
}

/// What is asked of all three, for launches whose blocks have `elements` elements together.
void check_warp_trees(const LaunchAndWork& run, unsigned elements) {
  CHECK_THAT(run.launch.count(&Counters::block_barriers),
             AtMost(0, "block barriers", "a warp waits for its own lanes with __syncwarp()"));
  CHECK_THAT(run.launch, HasNoShuffles("the values are in shared memory; shuffles come in chapter 5"));
  check_plain_loads(run, elements);
  CHECK_THAT(run, HasNoExchangesInCode());
  CHECK_THAT(run, ExchangesInSharedMemory());
  CHECK_THAT(run, IsTreeOver(32));
  CHECK_THAT(run, IsTreeOfPairs({32}, 1));
  CHECK_THAT(run, WritesOwnResults());
}
/// Divergent branches a block. One more may be the guard of the load, if the last block is not full.
Count divergent_branches(const LaunchAndWork& run, unsigned elements) {
  const unsigned guards = elements == 32 * run.launch.shape().grid.x ? 0 : 1;
  return (run.launch.count(&Counters::divergent_branches) - guards).per_block();
}
/// Joins by all lanes of a block.
void check_joins(const LaunchAndWork& run, unsigned limit, const std::string& why) {
  if (const std::optional<Joins>& joins = run.work.joins())
    CHECK_THAT(per_block(run.launch, joins->by_all_threads),
               AtMost(limit, "joins by all lanes", "a join makes one value of two; " + why));
}
constexpr unsigned corrections = 32;  ///< joins of what is rounded off

// --- All three: the same cases for each ---

void warps_at_awkward_sizes(const InOutKernel<float>& kernel) {
  Device& device = GENERATE(devices());
  const unsigned n = GENERATE(awkward_sizes(32));
  const auto in = random_integers(n, seed_of(n, 32));
  const auto out = launch_warps(device, kernel, in, blocks_for(n, 32)).out;
  CHECK_THAT(out, EqualsBlockSums(in, 32));
}

void warps_floats_that_round(const InOutKernel<float>& kernel) {
  Device& device = GENERATE(devices());
  const auto in = random_floats(95, seed_of(95, 32));
  const auto out = launch_warps(device, kernel, in, 3).out;
  INFO("real floats");
  CHECK_THAT(out, IsCloseToBlockSums(in, 32));
}

void warps_any_values(const InOutKernel<float>& kernel) {
  Device& device = GENERATE(devices());
  const auto in = values_at_risk(32);
  const auto out = launch_warps(device, kernel, in, 3).out;
  CHECK_THAT(out, EqualsBlockSums(in, 32));
}

void warps_in_any_order(const InOutKernel<float>& kernel) {
  SimulatedDevice& device = GENERATE(every_order());
  const auto in = random_integers(91, seed_of(91, 32));
  const auto out = launch_warps(device, kernel, in, 3).out;
  CHECK_THAT(out, EqualsBlockSums(in, 32));
}

void warps_of_any_grid(const InOutKernel<float>& kernel) {
  Device& device = GENERATE(devices());
  const auto [n, grid] =
      GENERATE(table<unsigned, unsigned>({{91, 1}, {91, 2}, {91, 4}, {91, 9}, {5, 300}, {65'555, 2049}}));
  const auto in = random_integers(n, grid == 2049 ? seed_of(n, 32) : seed_of(n, 32, grid));
  const auto out = launch_warps(device, kernel, in, grid).out;
  INFO(grid_text(grid, n, 32));
  CHECK_THAT(out, EqualsBlockSums(in, 32));
}

void many_launches_of_warps(const InOutKernel<float>& kernel) {
  Device& device = GENERATE(devices());
  const KeptModuleMemory kept(device);
  for (unsigned i = 0; i < 300; ++i) {
    const unsigned n = i % 7 * 8 + 1;
    const auto in = random_integers(n, seed_of(n, 32));
    const auto out = launch_warps(device, kernel, in, blocks_for(n, 32)).out;
    INFO("launch " << i + 1 << " in a row");
    REQUIRE_THAT(out, EqualsBlockSums(in, 32));
  }
}

// At 91 elements with three blocks more than they need.
void warps_no_findings(const InOutKernel<float>& kernel) {
  SimulatedDevice& device = simulated();
  const unsigned n = GENERATE(awkward_sizes(32), 91u);
  const auto in = random_integers(n, seed_of(n, 32));
  const auto [launch, out] = launch_warps(device, kernel, in, n == 91 ? 6 : blocks_for(n, 32));
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsBlockSums(in, 32));
}

void warps_no_findings_in_any_order(const InOutKernel<float>& kernel) {
  SimulatedDevice& device = GENERATE(every_order());
  const auto in = random_integers(91, seed_of(91, 32));
  const auto [launch, out] = launch_warps(device, kernel, in, 3);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsBlockSums(in, 32));
}

void register_warp_cases(const InOutKernel<float>& kernel) {
  register_cases(
      kernel, kernel,
      {
          {"the sum of each 32 elements, at awkward sizes", Aspect::result, warps_at_awkward_sizes},
          {"floats that round", Aspect::result, warps_floats_that_round},
          {"values that a cheap mistake would lose", Aspect::result, warps_any_values},
          {"in any order", Aspect::result, warps_in_any_order},
          {"any grid", Aspect::result, warps_of_any_grid},
          {"300 launches in a row", Aspect::result, many_launches_of_warps},
          {"no findings", Aspect::safety, warps_no_findings},
          {"no findings in any order", Aspect::safety, warps_no_findings_in_any_order},
      });
}
[[maybe_unused]] const bool are_warp_cases_registered =
    (register_warp_cases(warp_sum_step_condition), register_warp_cases(warp_sum_one_condition),
     register_warp_cases(warp_sum_padded), true);

}  // namespace

// --- warp_sum_step_condition ---

// In the step with stride s, the lanes below s write their own slots and read slots s to 2s - 1, which no
// lane writes in this step. So one barrier per step is enough.
TEST_CASE("warp_sum_step_condition: a tree with a condition in each step",
          "[warp_sum_step_condition][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned n = GENERATE(4u * 32, 8u * 32, awkward_sizes(32), sizes_with_short_rest(32), 91u);
  const unsigned grid = GENERATE_COPY(grids_for(n, 32));
  const auto in = counted_values(n, 32, grid, 32);
  const auto [run, out] = counted_with_masks(device, launch_warps, warp_sum_step_condition, in, grid);
  const unsigned elements = std::min(n, 32 * grid);
  check_warp_trees(run, elements);
  CHECK_THAT(run.launch.count(&Counters::warp_barriers).per_block(),
             AtMost(6, "warp barriers",
                    "one after the load and one in each step: within a step no lane writes what another "
                    "lane reads"));
  CHECK_THAT(divergent_branches(run, elements),
             AtMost(6, "divergent branches", "one in each step, and the store of the result"));
  check_joins(run, 16 + 8 + 4 + 2 + 1 + corrections, "in the step with stride s, the lanes below s add");
  CHECK_THAT(out, EqualsBlockSums(in, 32));
}

// --- warp_sum_one_condition ---

// Lane 8 writes slot 8 in the same step in which lane 0 reads it. So a step is: read, wait, write, wait.
TEST_CASE("warp_sum_one_condition: a tree with one condition", "[warp_sum_one_condition][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned n = GENERATE(4u * 32, 8u * 32, awkward_sizes(32), sizes_with_short_rest(32), 91u);
  const unsigned grid = GENERATE_COPY(grids_for(n, 32));
  const auto in = counted_values(n, 32, grid, 32);
  const auto [run, out] = counted_with_masks(device, launch_warps, warp_sum_one_condition, in, grid);
  const unsigned elements = std::min(n, 32 * grid);
  check_warp_trees(run, elements);
  CHECK_THAT(
      run.launch.count(&Counters::warp_barriers).per_block(),
      AtMost(11, "warp barriers", "one after the load and two in each step: after reading, after writing"));
  CHECK_THAT(
      divergent_branches(run, elements),
      AtMost(2, "divergent branches", "one condition around all additions, and the store of the result"));
  check_joins(run, 5 * 16 + corrections, "the lanes below 16 add; all 32 add in warp_sum_padded only");
  CHECK_THAT(out, EqualsBlockSums(in, 32));
}

// --- warp_sum_padded ---

TEST_CASE("warp_sum_padded: a tree without a condition", "[warp_sum_padded][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned n = GENERATE(4u * 32, 8u * 32, awkward_sizes(32), sizes_with_short_rest(32), 91u);
  const unsigned grid = GENERATE_COPY(grids_for(n, 32));
  const auto in = counted_values(n, 32, grid, 32);
  const auto [run, out] = counted_with_masks(device, launch_warps, warp_sum_padded, in, grid);
  const unsigned elements = std::min(n, 32 * grid);
  check_warp_trees(run, elements);
  CHECK_THAT(run.launch.count(&Counters::warp_barriers).per_block(),
             AtMost(12, "warp barriers",
                    "at most two before the additions and two in each step: after reading, after writing"));
  CHECK_THAT(divergent_branches(run, elements),
             AtMost(2, "divergent branches", "writing the zeros, and the store of the result"));
  // Who wraps around at 32 joins two values in each of 5 * 32 additions. With zeros behind the values, the
  // lanes whose partner does not exist, 16 + 8 + 4 + 2 + 1 in all, add a zero.
  check_joins(run, 5 * 32 - 31,
              "where slot lane + s lies behind the values, a lane adds one of the 16 zeros");
  CHECK_THAT(out, EqualsBlockSums(in, 32));
}

TEST_CASE("warp_sum_padded: zeros follow the values, and all lanes add", "[warp_sum_padded][technique]") {
  SimulatedDevice& device = simulated();
  const auto in = random_integers(32, seed_of(32, 32));
  std::optional<Written<float>> written;
  const auto unwritten =
      unwritten_slot(device, [&] { written.emplace(launch_warps(device, warp_sum_padded, in, 1)); });
  const auto& [launch, out] = *written;
  // Lane 31 reads slot 47 in the first step. If indices wrap around at 32, no zeros are needed, but then the
  // kernel misses its point: lanes that take part and add nothing.
  CHECK_THAT(Measured(launch.report().shared_bytes / double{sizeof(float)}),
             AtLeast(48, "slots in shared memory", "16 zeros follow the 32 values"));
  CHECK_THAT(unwritten, IsNowhere("16 zeros follow the 32 values: write them"));
  // A step takes at least load, wait, add, store, wait: 25 instructions for five steps, and 20 or more for
  // the index, the element and its guard, all of them by all lanes. Only some lanes store the zeros, up to 3
  // instructions by 16 lanes, and the result, up to 5 instructions by one. That wastes 3/2 + 5 * 31/32 < 7 of
  // at least 45 + 8 warp instructions: 87 % remain. If half of the lanes took part in the additions, 13 more
  // would be lost.
  CHECK_THAT(Measured(100 * launch.counters().lane_utilisation()),
             AtLeast(85, "lanes busy, in percent", "all 32 lanes add in every step: no condition"));
  CHECK_THAT(out, EqualsBlockSums(in, 32));
}

// --- What the chapter shows of its kernels ---

namespace {

/// The launches that are counted, drawn and, on a GPU, timed.
template <const auto& kernel>
Launch show_warps(Device& device, unsigned n) {
  const auto in = random_integers(n, seed_of(n, 32));
  auto [launch, out] = launch_warps(device, kernel, in, blocks_for(n, 32));
  if (!launch.is_timed()) require(out, EqualsBlockSums(in, 32));
  return std::move(launch);
}

const RegisterKernels warp_kernels({
    {.kernel = warp_sum_step_condition,
     .technique = "one warp, condition per step",
     .task = "sum 32 values by one warp, with a condition in each step",
     .run = show_warps<warp_sum_step_condition>},
    {.kernel = warp_sum_one_condition,
     .technique = "one warp, one condition",
     .task = "the same, with one condition around all additions",
     .run = show_warps<warp_sum_one_condition>},
    {.kernel = warp_sum_padded,
     .technique = "one warp, padded with zeros",
     .task = "the same, with zeros after the values and no condition",
     .run = show_warps<warp_sum_padded>},
});

}  // namespace
