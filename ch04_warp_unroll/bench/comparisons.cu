// Chapter 4 beside CUB: ./warpwise bench ch04
#include "../kernels.hpp"
#include "common/measuring/reductions.cuh"

namespace warpwise::measuring {

std::vector<Entry> entries() {
  static constexpr unsigned block = 256, shared_bytes = block * sizeof(float);
  return {sum_entry("reduce_unroll_last_warp",
                    [](const Reduced& r) {
                      const unsigned blocks = r.blocks_of(2 * block);
                      reduce_unroll_last_warp<<<blocks, block, shared_bytes>>>(r.in, r.out, r.n);
                      return blocks;
                    }),
          sum_entry("reduce_unrolled_256",
                    [](const Reduced& r) {
                      const unsigned blocks = r.blocks_of(2 * block);
                      reduce_unrolled_256<<<blocks, block, shared_bytes>>>(r.in, r.out, r.n);
                      return blocks;
                    }),
          sum_entry("block_sum_by_warps", [](const Reduced& r) {
            const unsigned blocks = r.walking_blocks(block);
            block_sum_by_warps<<<blocks, block, shared_bytes>>>(r.in, r.out, r.n);
            return blocks;
          })};
}

}  // namespace warpwise::measuring
