#pragma once
/// \file What the four reductions of the chapter have in common: limits on their technique.

#include <bit>
#include <string>

#include "ch03_bank_conflicts/launches.hpp"
#include "common/harness/expectations.hpp"

namespace warpwise::ch03 {

inline constexpr unsigned block_sizes[] = {32, 64, 128, 256, 512, 1024};

/// Levels of a tree of pairs over `values` values, a power of two.
inline unsigned levels_of(unsigned values) { return static_cast<unsigned>(std::countr_zero(values)); }

/// `launch` was a reduction of n elements, of which each thread had as many as any other.
inline void check_tree_technique(const Launch& launch, unsigned n) {
  using harness::expect_at_most;
  const simulator::Counters& counters = launch.counters();
  const unsigned block = launch.shape().block.x;
  const auto blocks = static_cast<double>(launch.shape().grid.x);
  const std::string of_block = " a block of " + std::to_string(block);
  // However many elements a thread takes: one barrier after the load, one for each level of the tree.
  expect_at_most("block barriers" + of_block, static_cast<double>(counters.block_barriers) / blocks,
                 levels_of(block) + 1, "one after the load and one for each level of the only tree");
  // 32 neighbouring words lie in 32 banks. So where the threads that add are neighbours and so are their
  // values, no two of a warp's words share a bank, and one wavefront serves each request.
  const auto conflicts = counters.shared_load_bank_conflicts + counters.shared_store_bank_conflicts +
                         counters.shared_atomic_bank_conflicts;
  expect_at_most("bank conflicts" + of_block, static_cast<double>(conflicts) / blocks, 0,
                 "let neighbouring threads use neighbouring words of shared memory");
  // While 32 or more threads add, whole warps add or rest. The strides 16, 8, 4, 2 and 1 split one warp
  // each, and so does the store by one thread: 6.
  expect_at_most("divergent branches" + of_block, static_cast<double>(counters.divergent_branches) / blocks,
                 6, "one for each stride below 32, and one for the store");
  // 32 neighbouring floats are 4 sectors of 32 bytes, and one request. (Wider loads need fewer requests.)
  expect_at_most("global load sectors", static_cast<double>(counters.global_load_sectors), n / 8.0,
                 "neighbouring threads read neighbouring elements: 4 sectors for 32 of them");
  expect_at_most("global load requests", static_cast<double>(counters.global_load_requests), n / 32.0,
                 "each warp reads 32 neighbouring elements at once, and each element is read once");
  expect_at_most("atomic requests",
                 static_cast<double>(counters.shared_atomic_requests + counters.global_atomic_requests), 0,
                 "atomics on one word add one value after the other: no tree");
}

/// `launch` had one block of 32. A tree, and not one thread that adds everything: as in chapter 1, a thread
/// knows of twice as many values at best after each exchange between threads, and 32 are 5 doublings. The
/// block is one warp, so that the warp's own barriers count once for each exchange.
inline void check_is_tree(const Launch& launch) {
  const simulator::Counters& counters = launch.counters();
  const auto exchanges = counters.block_barriers + counters.warp_barriers + counters.shuffles;
  harness::expect_at_least("exchanges between the threads of a block of 32", static_cast<double>(exchanges),
                           5, "a tree over 32 threads has 5 levels; does one thread add everything?");
}

}  // namespace warpwise::ch03
