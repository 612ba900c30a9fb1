#pragma once
/// \file The sizes at which checks try a kernel.

#include <vector>

namespace warpwise::harness {

/// Threads a block: every power of two from one warp to the largest block there is.
inline constexpr unsigned every_block_size[] = {32, 64, 128, 256, 512, 1024};

/// Sizes at which kernels break, for blocks that take `stretch` elements: 1, 31, 32, 33, 1023, 1024, 1025,
/// one less, equal and one more than 1, 2 and 3 stretches, and several stretches with a tail, ascending. With
/// a run_seed() (inputs.hpp) three more, at random up to six stretches. Then 0: what fails for one element
/// too is easier to picture there.
std::vector<unsigned> awkward_sizes(unsigned stretch);

/// A size of the input and a size of the block to try together.
struct Sizes {
  unsigned n, block;
};
/// Each of `blocks` with each of its awkward sizes. `for (const auto [n, block] : every_size_and_block())`
std::vector<Sizes> every_size_and_block(const std::vector<unsigned>& blocks = {std::begin(every_block_size),
                                                                               std::end(every_block_size)});

}  // namespace warpwise::harness
