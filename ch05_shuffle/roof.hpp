#pragma once
/// \file Given, not an exercise: how many blocks reduce_to_the_roof gets.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels.hpp"

namespace warpwise::ch05 {

// [alone]
/// Up to this many elements one block is enough, and one block alone needs no partial sums and no ticket:
/// sum_alone (bench/roof_variants.cuh) does it, with alone_threads threads. Argmax has more to do for each
/// element, and is faster with twice as many threads.
constexpr unsigned alone_elements = 8192, alone_threads = 512, alone_argmax_threads = 1024;
// [/alone]

// [grid]
/// Four blocks of 512 threads fill a multiprocessor (2048 threads), so no block has to wait for its turn.
/// There are no more blocks than tiles of 4 * 4 * 512 elements, but at least one, which writes 0 for n = 0.
inline unsigned roof_grid(unsigned multiprocessors, unsigned n) {
  constexpr unsigned tile = 4 * roof_loads * roof_threads;
  const unsigned tiles = n / tile + (n % tile != 0);
  return std::max(1u, std::min(4 * multiprocessors, tiles));
}
// [/grid]

/// If no block of that grid gets more than one tile, sum_ticket_first (bench/roof_variants.cuh) is faster.
inline bool is_a_tile_a_block(unsigned multiprocessors, unsigned n) {
  return std::size_t{roof_grid(multiprocessors, n)} * 4 * roof_loads * roof_threads >= n;
}

}  // namespace warpwise::ch05
