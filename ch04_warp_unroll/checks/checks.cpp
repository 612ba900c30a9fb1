/// \file What chapter 4 asks of its kernels: result, technique, safety. Contracts: kernels.hpp. The kernel
/// with any grid, block_sum_by_warps: by_warps.cpp.

#include <optional>
#include <utility>
#include <vector>

#include "ch04_warp_unroll/checks/tree_checks.hpp"
#include "ch04_warp_unroll/checks/unrolled.hpp"
#include "common/harness/check/chapter.hpp"
#include "common/harness/check/reductions.hpp"
#include "common/harness/check/technique.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch04;

namespace {

// Blocks of one warp. The kernels declare their shared memory themselves.
constexpr BlockSums step_condition{warp_sum_step_condition, 1, false};
constexpr BlockSums one_condition{warp_sum_one_condition, 1, false};
constexpr BlockSums padded{warp_sum_padded, 1, false};
// Two elements per thread, as in chapter 3.
constexpr BlockSums last_warp{reduce_unroll_last_warp, 2};
constexpr BlockSums unrolled_256{reduce_unrolled_256, 2};
BlockSums unrolled(unsigned block) { return {unrolled_kernel(block), 2}; }

void check_result(Check& check, const BlockSums& sums, unsigned block) {
  check_block_sums(check, sums, block);
  check_rounded_block_sums(check, sums, block);
  check_block_sums_of_any_values(check, sums, block);
}

void check_safety(Check& check, const BlockSums& sums, unsigned block) {
  check_block_sums_are_safe(check, sums, block);
  check_block_sums_are_safe_under_every_schedule(check, sums, block);
}

struct WarpLimits {
  unsigned warp_barriers = 0;
  std::string_view why_barriers;
  unsigned divergent_branches = 0;
  std::string_view why_branches;
  unsigned additions = 0;  ///< by all lanes together
  std::string_view why_additions;
};

/// The limits of kernels.hpp, for each block of one launch.
void expect_warp_sum(const BlockSums& sums, const LaunchAndWork& run, unsigned n, const WarpLimits& limits) {
  const Launch& launch = run.launch;
  expect_at_most("block barriers", launch.count(&Counters::block_barriers), 0,
                 "a warp waits for its own lanes with __syncwarp()");
  expect_no_shuffles(launch, "the values are in shared memory; shuffles come in chapter 5");
  expect_plain_loads_and_a_tree(run, n, 32, 1);
  expect_at_most("warp barriers", launch.count(&Counters::warp_barriers).per_block(), limits.warp_barriers,
                 limits.why_barriers);
  // One more if the last block is not full: the guard of the load.
  const unsigned guards = has_full_blocks(sums, run, n) ? 0 : 1;
  expect_at_most("divergent branches", (launch.count(&Counters::divergent_branches) - guards).per_block(),
                 limits.divergent_branches, limits.why_branches);
  // One more for each lane, because its element may be added to a 0.
  expect_at_most("additions by all lanes", per_block(launch, run.work.by_all_threads), limits.additions + 32,
                 limits.why_additions);
}

void check_warp_sum(Check& check, const BlockSums& sums, const WarpLimits& limits) {
  expect_masks_name_who_comes(check.simulated(), [&] {
    check_every_block_sum_is_counted(check, sums, 32, [&](const LaunchAndWork& run, unsigned n) {
      expect_warp_sum(sums, run, n, limits);
    });
  });
}

/// The tree over a block whose last levels need no block barrier.
void expect_block_tree(const BlockSums& sums, const LaunchAndWork& run, unsigned n) {
  const unsigned block = run.launch.shape().block.x;
  expect_plain_loads_and_a_tree(run, elements_to_read(sums, run, n), block, sums.elements_a_thread);
  // There are log2(block) levels. The last six, strides 32 to 1, are the work of one warp, and between them
  // its own barriers are enough. So there is one block barrier after the load and one after each of the other
  // log2(block) - 6 levels. A block of 32 needs none, and may have the one after its load.
  expect_block_barriers_at_most(run.launch, block > 64 ? tree_levels(block) - 5 : 1,
                                "one after the load and one for each level with more than 32 additions; "
                                "chapter 3 has one in every level");
  expect_idle_warps_rest(run, sums.elements_a_thread);
}
void check_block_tree(Check& check, const BlockSums& sums, unsigned block) {
  expect_masks_name_who_comes(check.simulated(), [&] {
    check_every_block_sum_is_counted(
        check, sums, block, [&](const LaunchAndWork& run, unsigned n) { expect_block_tree(sums, run, n); });
  });
}

void count_step_condition(Check& check) {
  // In the step with stride s, the lanes below s write their own slots and read slots s to 2s - 1, which no
  // lane writes in this step. So one barrier per step is enough.
  check_warp_sum(check, step_condition,
                 {.warp_barriers = 6,
                  .why_barriers = "one after the load and one in each step: within a step no lane writes "
                                  "what another lane reads",
                  .divergent_branches = 6,
                  .why_branches = "one in each step, and the store of the result",
                  .additions = 16 + 8 + 4 + 2 + 1,
                  .why_additions = "in the step with stride s, the lanes below s add"});
}
void count_one_condition(Check& check) {
  // Lane 8 writes slot 8 in the same step in which lane 0 reads it. So a step is: read, wait, write, wait.
  check_warp_sum(check, one_condition,
                 {.warp_barriers = 11,
                  .why_barriers = "one after the load and two in each step: after reading, after writing",
                  .divergent_branches = 2,
                  .why_branches = "one condition around all additions, and the store of the result",
                  .additions = 5 * 16,
                  .why_additions = "the lanes below 16 add; all 32 add in warp_sum_padded only"});
}
void count_padded(Check& check) {
  check_warp_sum(check, padded,
                 {.warp_barriers = 12,
                  .why_barriers = "at most two before the additions and two in each step: after "
                                  "reading, after writing",
                  .divergent_branches = 2,
                  .why_branches = "writing the zeros, and the store of the result",
                  .additions = 5 * 32,
                  .why_additions = "32 lanes, 5 steps"});
  std::optional<Launch> launch;
  const auto unwritten = unwritten_slot(
      check.simulated(), [&] { launch = expect_block_sums(check.simulated(), padded, 32, 32); });
  // Lane 31 reads slot 47 in the first step. If indices wrap around at 32, no zeros are needed, but then the
  // kernel misses its point: lanes that take part and add nothing.
  expect_at_least("slots in shared memory", Measured(launch->report().shared_bytes / double{sizeof(float)}),
                  48, "16 zeros follow the 32 values");
  expect_slots_are_written(unwritten, "16 zeros follow the 32 values: write them");
  // A step takes at least load, wait, add, store, wait: 25 instructions for five steps, and 20 or more for
  // the index, the element and its guard, all of them by all lanes. Only some lanes store the zeros, up to 3
  // instructions by 16 lanes, and the result, up to 5 instructions by one. That wastes 3/2 + 5 * 31/32 < 7 of
  // at least 45 + 8 warp instructions: 87 % remain. If half of the lanes took part in the additions, 13 more
  // would be lost.
  expect_at_least("lanes busy, in percent", Measured(100 * launch->counters().lane_utilisation()), 85,
                  "all 32 lanes add in every step: no condition");
}

/// The checks of a kernel of one warp, whose technique `count` counts.
std::vector<CheckOf> warp_sum_checks(const BlockSums& sums, Check::Body count) {
  using enum Aspect;
  return {
      {result, [&sums](Check& check) { check_result(check, sums, 32); }},
      {result, [&sums](Check& check) { check_block_sums_under_every_schedule(check, sums, 32); },
       "in any order"},
      {result, [&sums](Check& check) { check_block_sums_with_any_grid(check, sums, 32, 32); }, "any grid"},
      {technique, std::move(count)},
      {safety, [&sums](Check& check) { check_safety(check, sums, 32); }}};
}

constexpr KernelName unrolled_family[] = {reduce_unrolled_32,  reduce_unrolled_64,  reduce_unrolled_128,
                                          reduce_unrolled_256, reduce_unrolled_512, reduce_unrolled_1024};

const RegisterKernels tree_kernels({
    {.kernel = warp_sum_step_condition,
     .technique = "one warp, condition per step",
     .task = "sum 32 values by one warp, with a condition in each step",
     .run = shown_block_sums<step_condition, 32>,
     .checks = warp_sum_checks(step_condition, count_step_condition)},
    {.kernel = warp_sum_one_condition,
     .technique = "one warp, one condition",
     .task = "the same, with one condition around all additions",
     .run = shown_block_sums<one_condition, 32>,
     .checks = warp_sum_checks(one_condition, count_one_condition)},
    {.kernel = warp_sum_padded,
     .technique = "one warp, padded with zeros",
     .task = "the same, with zeros after the values and no condition",
     .run = shown_block_sums<padded, 32>,
     .checks = warp_sum_checks(padded, count_padded)},
    {.kernel = reduce_unroll_last_warp,
     .technique = "last warp unrolled",
     .task = "sum each block's elements, the last 64 values by one warp",
     .run = shown_block_sums<last_warp>,
     .is_step = true,
     .comes_from = "reduce_first_add"},
    {.kernel = reduce_unrolled_256,
     .technique = "fully unrolled",
     .task = "the same for a block size known to the compiler",
     .run = shown_block_sums<unrolled_256, 256>,
     .is_step = true,
     .comes_from = "reduce_unroll_last_warp",
     .family = unrolled_family},
});
const RegisterChapter registered(this_chapter("The last warp needs no block barrier"));

}  // namespace

WARPWISE_CHECK(reduce_unroll_last_warp, result) {
  for (const unsigned block : check.block_sizes()) check_result(check, last_warp, block);
}
WARPWISE_CHECK(reduce_unroll_last_warp, result, "in any order") {
  for (const unsigned block : {32u, 64u, 256u})
    check_block_sums_under_every_schedule(check, last_warp, block);
}
WARPWISE_CHECK(reduce_unroll_last_warp, result, "any grid") {
  check_block_sums_with_any_grid(check, last_warp);
}
WARPWISE_CHECK(reduce_unroll_last_warp, technique) {
  for (const unsigned block : check.block_sizes()) check_block_tree(check, last_warp, block);
}
WARPWISE_CHECK(reduce_unroll_last_warp, safety) {
  for (const unsigned block : check.block_sizes()) check_safety(check, last_warp, block);
}

// One family of six kernels: all are checked under the name of the one that the ladder shows.
WARPWISE_CHECK(reduce_unrolled_256, result) {
  for (const unsigned block : check.block_sizes()) check_result(check, unrolled(block), block);
}
WARPWISE_CHECK(reduce_unrolled_256, result, "in any order") {
  for (const unsigned block : {32u, 64u, 256u})
    check_block_sums_under_every_schedule(check, unrolled(block), block);
}
WARPWISE_CHECK(reduce_unrolled_256, result, "any grid") {
  check_block_sums_with_any_grid(check, unrolled(64), 64, 64);
}
WARPWISE_CHECK(reduce_unrolled_256, technique) {
  for (const unsigned block : check.block_sizes()) {
    check_block_tree(check, unrolled(block), block);
    expect_no_backward_branches(check.simulated().program(), unrolled_kernel(block).name,
                                "every level is written out, so no loop is left; the compiler writes out a "
                                "loop over a constant");
  }
}
// A joint check: it compares with the same author's loop over the levels. If that kernel is missing, has no
// loop or gives wrong sums, there is nothing to compare with.
WARPWISE_CHECK(reduce_unrolled_256, technique, "instructions") {
  SimulatedDevice& device = check.simulated();
  const unsigned n = 1u << 16, block = 256;
  if (!device.has_kernel(reduce_unroll_last_warp.name) ||
      backward_branches(device.program(), reduce_unroll_last_warp.name) == 0 ||
      !gives_block_sums(device, last_warp, n, block))
    return;
  const auto warp_instructions = [&](const BlockSums& sums) {
    return expect_block_sums(device, sums, n, block).count(&Counters::warp_instructions);
  };
  expect_at_most("warp instructions for 65536 elements", warp_instructions(unrolled_256),
                 warp_instructions(last_warp).value() - 1,
                 "a joint check: fewer than reduce_unroll_last_warp of this file takes, because the work of "
                 "the loop is gone");
}
WARPWISE_CHECK(reduce_unrolled_256, safety) {
  for (const unsigned block : check.block_sizes()) check_safety(check, unrolled(block), block);
}
