// Chapter 1 beside CUB: ./warpwise bench ch01
#include "../kernels.hpp"
#include "common/measuring/reductions.cuh"

namespace warpwise::measuring {

std::vector<Entry> entries() {
  constexpr unsigned block = 256;
  return {sum_entry("reduce_naive", [](const Reduced& r) {
    const unsigned blocks = r.blocks_of(block);
    reduce_naive<<<blocks, block, block * sizeof(float)>>>(r.in, r.out, r.n);
    return blocks;
  })};
}

}  // namespace warpwise::measuring
