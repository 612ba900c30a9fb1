/// \file What chapter 3 asks of the reductions in which each block has its own stretch of elements: result,
/// technique, safety. Contracts: kernels.hpp. The other kernels: checks_grids.cpp, checks_columns.cpp.

#include "ch03_bank_conflicts/tree_checks.hpp"
#include "common/harness/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch03;

namespace {

template <const auto& kernel>
Launch exhibit_walk(Device& device, unsigned n) {
  return run_walk(device, kernel, n, walking_grid(device, n, device.block_or(256)));
}

const Exhibit exhibits[] = {
    {.kernel = reduce_sequential,
     .technique = "strides B/2, B/4 ... 1",
     .task = "sum each block's elements, strides B/2, B/4 ... 1",
     .run = exhibit_block_sums<sequential>,
     .is_rung = true,
     .comes_from = "reduce_contiguous"},
    {.kernel = reduce_first_add,
     .technique = "first add at the load",
     .task = "sum 2 * blockDim.x elements a block, adding at the load",
     .run = exhibit_block_sums<first_add>,
     .is_rung = true,
     .comes_from = "reduce_sequential"},
    {.kernel = reduce_grid_stride,
     .technique = "grid-stride loop, any n",
     .task = "sum n elements with a grid of any size",
     .run = exhibit_walk<reduce_grid_stride>,
     .is_rung = true,
     .comes_from = "reduce_first_add"},
    {.kernel = reduce_max,
     .technique = "grid-stride loop, max",
     .task = "find the largest of n elements with a grid of any size",
     .run = exhibit_walk<reduce_max>},
    {.kernel = column_sums,
     .technique = "padded tile",
     .task = "sum columns of 32 elements by way of shared memory",
     .run = [](Device& device, unsigned n) { return run_column_sums(device, n / 32); },
     .shown_n = 32 * 32},
};
const RegisterChapter registered(this_chapter("32 banks", exhibits));

void check_technique(const BlockSums& sums) {
  for (const unsigned block : every_block_size)
    check_every_block_sum_is_counted(sums, block, [&](const CountedLaunch& run, unsigned n) {
      const unsigned guards = has_full_blocks(sums, run, n) ? 0 : sums.elements_a_thread;
      check_tree_technique(run, elements_to_read(sums, run, n), sums.elements_a_thread, guards);
    });
}

}  // namespace

WARPWISE_CHECK(reduce_sequential, result) { check_block_sums(sequential); }
WARPWISE_CHECK(reduce_sequential, result, "any grid") { check_block_sums_with_any_grid(sequential); }
WARPWISE_CHECK(reduce_sequential, result, "any values") { check_block_sums_of_any_values(sequential); }
WARPWISE_CHECK(reduce_sequential, result, "floats that round") { check_rounded_block_sums(sequential); }
WARPWISE_CHECK(reduce_sequential, technique) { check_technique(sequential); }
WARPWISE_CHECK(reduce_sequential, safety) { check_block_sums_are_safe(sequential); }

WARPWISE_CHECK(reduce_first_add, result) { check_block_sums(first_add); }
WARPWISE_CHECK(reduce_first_add, result, "any grid") { check_block_sums_with_any_grid(first_add); }
WARPWISE_CHECK(reduce_first_add, result, "any values") { check_block_sums_of_any_values(first_add); }
WARPWISE_CHECK(reduce_first_add, result, "floats that round") { check_rounded_block_sums(first_add); }
WARPWISE_CHECK(reduce_first_add, technique) { check_technique(first_add); }
WARPWISE_CHECK(reduce_first_add, safety) { check_block_sums_are_safe(first_add); }
