#pragma once
/// \file The launches that the reductions with any grid are tried with (grids.cpp).

#include <algorithm>
#include <vector>

#include "common/harness/check/cases.hpp"
#include "common/harness/check/chapter.hpp"

namespace warpwise::ch03 {

using harness::Generator;
using harness::LaunchShape;

// Grids do not depend on n: 1, 3 and 20 are one block, a few, and for most sizes more than there is work for.

/// Sizes at which a kernel with `threads` threads is likely to break, and those that a run_seed() draws.
inline std::vector<unsigned> all_walking_sizes(unsigned threads) {
  std::vector<unsigned> sizes = {0, 1, 31, 32, 33, 1023, 1024, 1025};
  for (const unsigned whole : {threads, 2 * threads})
    if (whole <= 6144) sizes.insert(sizes.end(), {whole - 1, whole, whole + 1});
  sizes.push_back(3 * std::min(threads, 1024u) + threads / 2 + 3);
  if (threads <= 128)
    sizes.push_back(63 * threads - 5);  // the most that is few: shares are even, but for four
  for (const unsigned drawn : harness::drawn_sizes(3 * std::min(threads, 2048u))) sizes.push_back(drawn);
  return sizes;
}
inline Generator<unsigned> walking_sizes(unsigned threads) {
  return Catch::Generators::from_range(all_walking_sizes(threads));
}
/// Whether this launch of the cases of the result is among those that are counted: the run_seed() draws one
/// in eight.
inline bool is_drawn(unsigned n, unsigned block, unsigned grid) {
  return harness::seed_of(harness::run_seed(), harness::seed_of(n, block), grid) % 8 == 0;
}

struct Walk {
  unsigned n, block, grid;
  LaunchShape shape() const { return {.grid = grid, .block = block}; }
};

/// Several hundred blocks, most of which have a few elements or none; and more elements than 16 bits can
/// count.
inline Generator<Walk> far_walks() {
  return Catch::Generators::values<Walk>(
      {{5, 32, 300}, {1000, 32, 300}, {(1 << 16) + 99, 64, 400}, {(1 << 16) + 99, 256, 1}});
}

/// Those of the cases of the result that are drawn, and two in which most blocks take nothing.
inline Generator<Walk> drawn_walks() {
  std::vector<Walk> walks = {{5, 32, 300}, {1000, 32, 300}};
  for (unsigned block = 32; block <= 1024; block *= 2)
    for (const unsigned grid : {1u, 3u, 20u})
      for (const unsigned n : all_walking_sizes(grid * block))
        if (is_drawn(n, block, grid)) walks.push_back({n, block, grid});
  return Catch::Generators::from_range(walks);
}

/// 64 elements or more for each thread. A kernel may give a thread up to 64 of them in one step, and round a
/// share up to a few steps of the block, but not so far that nothing is left for the last blocks.
inline Generator<Walk> walks_with_plenty() {
  std::vector<Walk> walks{{64 * 64 * 4, 64, 4}, {80 * 32 * 300, 32, 300}};
  for (const unsigned grid : harness::numbers_in_code())
    if (grid <= 300) walks.push_back({64 * 32 * grid, 32, grid});
  return Catch::Generators::from_range(walks);
}

}  // namespace warpwise::ch03
