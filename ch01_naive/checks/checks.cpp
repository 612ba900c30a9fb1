/// \file What chapter 1 asks of its kernels: result, technique, safety. Contracts: kernels.hpp.

#include <iomanip>
#include <ostream>

#include "ch01_naive/checks/levels.hpp"
#include "ch01_naive/kernels.hpp"
#include "common/harness/check/chapter.hpp"
#include "common/harness/check/reductions.hpp"

using namespace warpwise::harness;
using warpwise::ch01::reduce_levels;

namespace {

constexpr BlockSums naive{reduce_naive};
constexpr InPlaceSum in_place{sum_in_place, SumIsIn::first_element};

/// The host loop of levels.hpp feeds a kernel with what it wrote in the level before. If that is wrong
/// already, the loop has nothing to add but findings about buffers that are not the student's: "sums[0],
/// which has never been written", where the store to `out` is missing. So its checks wait until each block's
/// sum is right. Checks run in the order in which they stand here, so it is known by then.
bool must_wait_for_result(const Check& check) {
  return check.so_far().outcome("ch01_naive", "reduce_naive", Aspect::result) == Outcome::failed;
}

/// The book's question (PMPP 4th ed., exercise 10.1): how many warps diverge in each iteration? There is one
/// block, each iteration ends in its barrier, and a warp diverges in it at most once: at the `if`.
void show_divergence(std::ostream& out, const Launch& launch) {
  const auto& intervals = launch.report().divergent_branches_by_interval;
  const unsigned levels = tree_levels(2 * launch.shape().block.x);
  out << "  iteration       ";
  for (unsigned level = 0; level < levels; ++level) out << std::setw(5) << level + 1;
  out << "\n  stride          ";
  for (unsigned level = 0; level < levels; ++level) out << std::setw(5) << (1u << level);
  out << "\n  warps diverging ";
  for (unsigned level = 0; level < levels; ++level)
    out << std::setw(5) << (level < intervals.size() ? intervals[level] : 0);
  out << '\n';
}

const RegisterExhibits exhibits({
    {.kernel = reduce_naive,
     .technique = "tree of adjacent pairs",
     .task = "sum each block's elements with a tree in shared memory",
     .run = exhibit_block_sums<naive>,
     .is_rung = true},
    {.kernel = sum_in_place,
     .technique = "the book's first kernel",
     .task = "sum 2 * blockDim.x values in place, with one block",
     .run = exhibit_in_place<in_place>,
     .n = 1024,
     .largest_n = 2048,
     .show = show_divergence},
});
const RegisterChapter registered(this_chapter("A tree of adjacent pairs"));

}  // namespace

WARPWISE_CHECK(reduce_naive, result) { check_block_sums(check, naive); }

WARPWISE_CHECK(reduce_naive, result, "floats that round") { check_rounded_block_sums(check, naive); }
WARPWISE_CHECK(reduce_naive, result, "any grid") { check_block_sums_with_any_grid(check, naive); }
WARPWISE_CHECK(reduce_naive, result, "any values") { check_block_sums_of_any_values(check, naive); }

WARPWISE_CHECK(reduce_naive, result, "level by level") {
  if (must_wait_for_result(check)) return;
  for (Device& device : check.devices())
    for (const unsigned block : {32u, 256u})
      for (const unsigned n :
           {0u, 1u, 31u, 32u, 33u, 1023u, 1024u, 1025u, 32u * 32 * 32, 32u * 32 * 32 + 1}) {
        const auto values = random_integers(n, seed_of(n, block));
        const auto in = device.upload("in", values);
        const float total = reduce_levels(device, in, block).sum;
        expect_that(total == sum(values), {.n = n, .block = block},
                    "launched level by level (levels.hpp), the sum of all is wrong");
      }
}

WARPWISE_CHECK(reduce_naive, technique) {
  for (const unsigned block : check.block_sizes())
    check_every_block_sum_is_counted(check, naive, block, expect_one_tree_a_block);
}

WARPWISE_CHECK(reduce_naive, safety) { check_block_sums_are_safe(check, naive); }

WARPWISE_CHECK(reduce_naive, safety, "level by level") {
  if (must_wait_for_result(check)) return;
  Device& device = check.simulated();
  const auto values = random_integers(5000, 1);
  const auto in = device.upload("in", values);
  const auto [total, launches] = reduce_levels(device, in, 32);
  for (const Launch& level : launches) expect_no_findings(level);
  expect_that(total == sum(values), {.n = 5000, .block = 32},
              "launched level by level (levels.hpp), the sum of all is wrong");
}

WARPWISE_CHECK(sum_in_place, result) { check_sum_in_place(check, in_place); }

WARPWISE_CHECK(sum_in_place, result, "any values") { check_sum_in_place_of_any_values(check, in_place); }

WARPWISE_CHECK(sum_in_place, technique) { check_tree_in_place(check, in_place); }

WARPWISE_CHECK(sum_in_place, safety) { check_in_place_is_safe(check, in_place); }
