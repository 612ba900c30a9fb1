#pragma once
/// \file The limits on technique that the four reductions of the chapter share.

#include <string>

#include "ch03_bank_conflicts/checks/launches.hpp"
#include "common/harness/check/technique.hpp"

namespace warpwise::ch03 {

/// What holds for every launch, whatever its shape. A thread has `own` elements. Guards may split some warps
/// as well: `guards` of them, in all blocks together.
inline void check_tree(const harness::LaunchAndWork& run, unsigned own, unsigned guards) {
  using namespace harness;
  const Launch& launch = run.launch;
  const unsigned block = launch.shape().block.x;
  const std::string per_block = " per block of " + std::to_string(block);
  // However many elements a thread takes, one barrier after the load and one for each level are enough.
  expect_block_barriers_at_most(launch, tree_levels(block) + 1,
                                "one after the load and one for each level of the only tree");
  // 32 neighbouring words are in 32 banks. So if the threads that add are neighbours, and so are their
  // values, no two of a warp's words share a bank, and one wavefront serves each request.
  expect_at_most("bank conflicts" + per_block, launch.count(shared_load_and_store_conflicts).per_block(), 0,
                 "let neighbouring threads use neighbouring words of shared memory; the strides 1, 2, 4 ... "
                 "of chapter 2 do not");
  // While 32 or more threads add, either all lanes of a warp add or none do. The strides 16, 8, 4, 2 and 1
  // split one warp each, and so does the store by one thread: 6.
  expect_at_most("divergent branches" + per_block,
                 (launch.count(&Counters::divergent_branches) - guards).per_block(), 6,
                 "one for each stride below 32, and one for the store");
  expect_no_shuffles(launch);
  expect_no_atomics(launch);
  expect_exchange_in_shared_memory(run);  // global memory has no banks to conflict
  expect_a_tree(run, block, own);
  expect_idle_warps_rest(run, own);
}

/// The same, and in addition n elements are read once, `own` of them by each thread. (Wider loads need fewer
/// requests.)
inline void check_tree_technique(const harness::LaunchAndWork& run, unsigned n, unsigned own,
                                 unsigned guards = 0) {
  check_tree(run, own, guards);
  harness::expect_each_element_is_read_once(
      run, n, "if neighbouring threads read neighbouring elements, 32 of them are 4 sectors");
}

}  // namespace warpwise::ch03
