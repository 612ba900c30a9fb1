// Chapter 2 beside CUB: ./warpwise bench ch02
#include "../kernels.hpp"
#include "common/measuring/reductions.cuh"

namespace warpwise::measuring {

std::vector<Entry> entries() {
  constexpr unsigned block = 256;
  return {sum_entry("reduce_contiguous", [](const Reduced& r) {
    const unsigned blocks = r.blocks_of(block);
    reduce_contiguous<<<blocks, block, block * sizeof(float)>>>(r.in, r.out, r.n);
    return blocks;
  })};
}

}  // namespace warpwise::measuring
