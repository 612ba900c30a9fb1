#pragma once
/// \file The limits on technique that the four reductions of the chapter share.

#include <string>

#include "common/harness/check/matchers.hpp"

namespace warpwise::ch03 {

using harness::branches_of_guards;

/// What holds for every launch, whatever its shape. A thread has `own` elements. Guards may split some warps
/// as well: `guards` of them, in all blocks together.
inline void check_tree(const harness::LaunchAndWork& run, unsigned own, unsigned guards) {
  using namespace harness;
  const Launch& launch = run.launch;
  const unsigned block = launch.shape().block.x;
  const std::string per_block = " per block of " + std::to_string(block);
  // However many elements a thread takes, one barrier after the load and one for each level are enough.
  CHECK_THAT(launch.count(&Counters::block_barriers).per_block(),
             AtMost(tree_levels(block) + 1, "block barriers" + per_block,
                    "one after the load and one for each level of the only tree"));
  // 32 neighbouring words are in 32 banks. So if the threads that add are neighbours, and so are their
  // values, no two of a warp's words share a bank, and one wavefront serves each request.
  CHECK_THAT(launch.count(shared_load_and_store_conflicts).per_block(),
             AtMost(0, "bank conflicts" + per_block,
                    "let neighbouring threads use neighbouring words of shared memory; the strides 1, 2, 4 "
                    "... of chapter 2 do not"));
  // While 32 or more threads add, either all lanes of a warp add or none do. The strides 16, 8, 4, 2 and 1
  // split one warp each, and so does the store by one thread: 6.
  CHECK_THAT(
      (launch.count(&Counters::divergent_branches) - guards).per_block(),
      AtMost(6, "divergent branches" + per_block, "one for each stride below 32, and one for the store"));
  CHECK_THAT(launch, HasNoShuffles());
  CHECK_THAT(launch, HasNoAtomics());
  CHECK_THAT(run, HasNoExchangesInCode());
  CHECK_THAT(run, ExchangesInSharedMemory());  // global memory has no banks to conflict
  CHECK_THAT(run, IsTreeOver(block, own));
  CHECK_THAT(run, RestsIdleWarps(own));
  CHECK_THAT(run, WritesOwnResults());
}

/// n elements are read once. (Wider loads need fewer requests.)
inline auto ReadsNeighbours(unsigned n, unsigned by_themselves = 0) {
  return harness::ReadsEachElementOnce(
      n, by_themselves, "if neighbouring threads read neighbouring elements, 32 of them are 4 sectors");
}

}  // namespace warpwise::ch03
