/// \file What chapter 2 asks of its sums: result, technique, safety; and what the chapter shows. Contracts:
/// kernels.hpp. The three ways out of a branch are checked in ways_out.cpp.

#include <algorithm>
#include <iomanip>
#include <ostream>

#include "ch02_divergence/checks/launches.hpp"
#include "common/harness/check/chapter.hpp"
#include "common/harness/check/reductions.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch02;

namespace {

constexpr BlockSums contiguous{reduce_contiguous};
constexpr InPlaceSum convergent{sum_convergent, SumIsIn::first_element};
constexpr InPlaceSum mirrored{sum_convergent_mirrored, SumIsIn::last_element};

/// The book's question (PMPP 4th ed., exercise 10.2): as chapter 1 prints it for fig. 10.6.
void show_divergence(std::ostream& out, const Launch& launch) {
  const auto& intervals = launch.report().divergent_branches_by_interval;
  const unsigned threads = launch.shape().block.x;
  const unsigned levels = tree_levels(2 * threads);
  const auto row = [&](const char* title, auto value_of) {
    out << "  " << title;
    for (unsigned level = 0; level < levels; ++level) out << std::setw(5) << value_of(level);
    out << '\n';
  };
  row("iteration       ", [](unsigned level) { return level + 1; });
  row("stride          ", [&](unsigned level) { return threads >> level; });
  row("warps at work   ", [&](unsigned level) { return ceil_div(threads >> level, 32); });
  row("warps diverging ",
      [&](unsigned level) { return level < intervals.size() ? intervals[level] : std::uint64_t{0}; });
}

const RegisterKernels sum_kernels({
    {.kernel = reduce_contiguous,
     .technique = "neighbouring threads add",
     .task = "sum each block's elements: thread t adds the t-th pair",
     .run = shown_block_sums<contiguous>,
     .is_step = true,
     .comes_from = "reduce_naive"},
    {.kernel = sum_convergent,
     .technique = "the book's convergent kernel",
     .task = "sum 2 * blockDim.x values in place, strides falling",
     .run = shown_in_place<convergent>,
     .n = 1024,
     .largest_n = 2048,
     .show = show_divergence},
    {.kernel = sum_convergent_mirrored,
     .technique = "... into the last element",
     .task = "the same from the right: the sum ends in the last value",
     .run = shown_in_place<mirrored>,
     .n = 1024,
     .largest_n = 2048},
});
const RegisterChapter registered(this_chapter("Active threads side by side"));

void check_convergence(Check& check, const InPlaceSum& sums) {
  check_tree_in_place(check, sums, [](const LaunchAndWork& run, unsigned n) {
    // At work are n/2, n/4 ... 16, 8, 4, 2, 1 threads. If they are neighbours, a warp can split only where
    // they are fewer than 32: in five levels, or in all where there are fewer.
    expect_at_most("divergent branches for " + std::to_string(n) + " values",
                   run.launch.count(&Counters::divergent_branches), std::min(5u, tree_levels(n)),
                   "a warp splits only in the levels with 16, 8, 4, 2 and 1 threads at work");
    if (n >= 64) expect_idle_warps_rest(run);
  });
}

}  // namespace

WARPWISE_CHECK(reduce_contiguous, result) { check_block_sums(check, contiguous); }

WARPWISE_CHECK(reduce_contiguous, result, "floats that round") {
  check_rounded_block_sums(check, contiguous);
}
WARPWISE_CHECK(reduce_contiguous, result, "any grid") { check_block_sums_with_any_grid(check, contiguous); }
WARPWISE_CHECK(reduce_contiguous, result, "any values") { check_block_sums_of_any_values(check, contiguous); }

WARPWISE_CHECK(reduce_contiguous, technique) {
  for (const unsigned block : check.block_sizes())
    check_every_block_sum_is_counted(check, contiguous, block, [](const LaunchAndWork& run, unsigned n) {
      // At work in the levels are block / 2, block / 4 ... 16, 8, 4, 2, 1 threads. If these are neighbours,
      // 32 and more of them are whole warps; only the last five numbers split one. One more split: the store.
      // Where a block is not full, guards split its last warp.
      const unsigned guards = has_full_blocks(contiguous, run, n) ? 0 : branches_of_guards;
      expect_at_most("divergent branches per block of " + std::to_string(run.launch.shape().block.x),
                     (run.launch.count(&Counters::divergent_branches) - guards).per_block(), 6,
                     "a warp splits only in the levels with 16, 8, 4, 2 and 1 threads at work, and at the "
                     "store; the owners of "
                     "chapter 1 split every warp in each level");
      expect_one_tree_a_block(run, n);  // one thread that adds everything diverges least of all
      expect_idle_warps_rest(run);
    });
}

WARPWISE_CHECK(reduce_contiguous, safety) { check_block_sums_are_safe(check, contiguous); }

WARPWISE_CHECK(sum_convergent, result) { check_sum_in_place(check, convergent); }
WARPWISE_CHECK(sum_convergent, result, "any values") { check_sum_in_place_of_any_values(check, convergent); }
WARPWISE_CHECK(sum_convergent, technique) { check_convergence(check, convergent); }
WARPWISE_CHECK(sum_convergent, safety) { check_in_place_is_safe(check, convergent); }

WARPWISE_CHECK(sum_convergent_mirrored, result) { check_sum_in_place(check, mirrored); }
WARPWISE_CHECK(sum_convergent_mirrored, result, "any values") {
  check_sum_in_place_of_any_values(check, mirrored);
}
WARPWISE_CHECK(sum_convergent_mirrored, technique) { check_convergence(check, mirrored); }
WARPWISE_CHECK(sum_convergent_mirrored, safety) { check_in_place_is_safe(check, mirrored); }
