// Chapter 3 beside CUB: ./warpwise bench ch03
#include "../kernels.hpp"
#include "common/measuring/reductions.cuh"

namespace warpwise::measuring {

std::vector<Entry> entries() {
  static constexpr unsigned block = 256, shared_bytes = block * sizeof(float);
  return {sum_entry("reduce_sequential",
                    [](const Reduced& r) {
                      const unsigned blocks = r.blocks_of(block);
                      reduce_sequential<<<blocks, block, shared_bytes>>>(r.in, r.out, r.n);
                      return blocks;
                    }),
          sum_entry("reduce_first_add",
                    [](const Reduced& r) {
                      const unsigned blocks = r.blocks_of(2 * block);
                      reduce_first_add<<<blocks, block, shared_bytes>>>(r.in, r.out, r.n);
                      return blocks;
                    }),
          sum_entry("reduce_grid_stride",
                    [](const Reduced& r) {
                      const unsigned blocks = r.walking_blocks(block);
                      reduce_grid_stride<<<blocks, block, shared_bytes>>>(r.in, r.out, r.n);
                      return blocks;
                    }),
          max_entry("reduce_max", [](const Reduced& r) {
            const unsigned blocks = r.walking_blocks(block);
            reduce_max<<<blocks, block, shared_bytes>>>(r.in, r.out, r.n);
            return blocks;
          })};
}

}  // namespace warpwise::measuring
