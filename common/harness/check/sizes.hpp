#pragma once
/// \file The sizes at which checks try a kernel.

#include <vector>

namespace warpwise::harness {

/// Threads a block: every power of two from one warp to the largest block there is. While a check is run
/// again in another order (other_orders.hpp), 32 and 256. `for (const unsigned block : every_block_size)`
struct EveryBlockSize {
  const unsigned* begin() const;
  const unsigned* end() const;
};
inline constexpr EveryBlockSize every_block_size;

/// Sizes at which kernels break, for blocks that take `stretch` elements: 1, 31, 32, 33, 1023, 1024, 1025,
/// one less, equal and one more than 1, 2 and 3 stretches, and several stretches with a tail, ascending. With
/// a run_seed() (inputs.hpp) three more, at random up to six stretches. Then 0: what fails for one element
/// too is easier to picture there. In another order (other_orders.hpp) two of several warps.
std::vector<unsigned> awkward_sizes(unsigned stretch);

/// `count` of the awkward sizes of `stretch`, drawn by the run_seed(): where counting at each of them would
/// take long. Who does not know the seed does not know where a kernel is counted.
std::vector<unsigned> some_awkward_sizes(unsigned stretch, unsigned count = 2);

/// A size of the input and a size of the block to try together.
struct Sizes {
  unsigned n, block;
};
/// Each of `blocks` with each of its awkward sizes; in another order, the first and the largest up to 256.
/// `for (const auto [n, block] : every_size_and_block())`
std::vector<Sizes> every_size_and_block(const std::vector<unsigned>& blocks = {std::begin(every_block_size),
                                                                               std::end(every_block_size)});

}  // namespace warpwise::harness
