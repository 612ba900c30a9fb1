// finding: none
// why: the warps of a tile tell each other through shared memory, and each tells its lanes by a shuffle
// launch: kernel=tiles grid=2 block=256 args=in:u32[512]:random,out:u32[512]:poison
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "../program.cuh"

namespace cg = cooperative_groups;
extern "C" __global__ void tiles(const unsigned* in, unsigned* out) {
  __shared__ cg::block_tile_memory<256> memory;
  const auto tile = cg::tiled_partition<128>(cg::this_thread_block(memory));
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned sum = cg::reduce(tile, in[i], cg::plus<unsigned>());
  tile.sync();
  const unsigned fourth = tile.shfl(in[i], 3);
  tile.sync();
  out[i] = sum + fourth + tile.any(in[i] % 64 == 7);
}

int main() {
  const Buffer<unsigned> in(512, Fill::random);
  const Buffer<unsigned> out(512, Fill::poison);
  tiles<<<2, 256>>>(in.data(), out.data());
  return out.show();
}
