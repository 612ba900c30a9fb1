#pragma once
/// \file Given, not an exercise: how many blocks reduce_to_the_roof gets, and where one of reduce_shuffle is
/// enough.

#include <algorithm>
#include <cstdint>

#include "kernels.hpp"

namespace warpwise::ch05 {

// [alone]
/// Up to here one block of reduce_shuffle takes all elements in no more time than several blocks need to
/// agree on who is the last: no partial sums, no ticket. Measured on an H200: docs/results/h200/bench.json.
constexpr unsigned alone_elements = 4096, alone_threads = 512;
// [/alone]

// [grid]
/// Four blocks of 512 threads fill a multiprocessor (2048 threads), and no block has to wait for its turn;
/// but no more blocks than there are tiles of 4 * 4 * 512 elements. At least one: somebody writes the 0.
inline unsigned roof_grid(unsigned multiprocessors, unsigned n) {
  constexpr unsigned tile = 4 * roof_loads * roof_threads;
  const unsigned tiles = n / tile + (n % tile != 0);
  return std::max(1u, std::min(4 * multiprocessors, tiles));
}
// [/grid]

}  // namespace warpwise::ch05
