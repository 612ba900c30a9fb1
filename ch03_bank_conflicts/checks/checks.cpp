/// \file What chapter 3 asks of the reductions in which each block has its own stretch of elements: result,
/// technique, safety. Contracts: kernels.hpp. The other kernels: grids.cpp, columns.cpp.

#include "ch03_bank_conflicts/checks/tree_checks.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch03;

namespace {

void check_technique(Check& check, const BlockSums& sums) {
  for (const unsigned block : check.block_sizes())
    check_every_block_sum_is_counted(check, sums, block, [&](const LaunchAndWork& run, unsigned n) {
      const unsigned guards = has_full_blocks(sums, run, n) ? 0 : branches_of_guards;
      check_tree_technique(run, elements_to_read(sums, run, n), sums.elements_a_thread, guards);
    });
}

std::vector<CheckOf> stretch_checks(const BlockSums& sums) {
  using enum Aspect;
  return {{result, [&](Check& check) { check_block_sums(check, sums); }},
          {result, [&](Check& check) { check_block_sums_with_any_grid(check, sums); }, "any grid"},
          {result, [&](Check& check) { check_block_sums_of_any_values(check, sums); }, "any values"},
          {result, [&](Check& check) { check_rounded_block_sums(check, sums); }, "floats that round"},
          {technique, [&](Check& check) { check_technique(check, sums); }},
          {safety, [&](Check& check) { check_block_sums_are_safe(check, sums); }}};
}

const RegisterKernels stretch_kernels({
    {.kernel = reduce_sequential,
     .technique = "strides B/2, B/4 ... 1",
     .task = "sum each block's elements, strides B/2, B/4 ... 1",
     .run = shown_block_sums<sequential>,
     .is_step = true,
     .comes_from = "reduce_contiguous",
     .checks = stretch_checks(sequential)},
    {.kernel = reduce_first_add,
     .technique = "first add at the load",
     .task = "sum 2 * blockDim.x elements per block, adding at the load",
     .run = shown_block_sums<first_add>,
     .is_step = true,
     .comes_from = "reduce_sequential",
     .checks = stretch_checks(first_add)},
});
const RegisterChapter registered(this_chapter("32 banks"));

}  // namespace
