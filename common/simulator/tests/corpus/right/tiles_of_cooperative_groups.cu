// finding: none
// why: tiles of eight reduce on their own, in code that diverges between tiles
// launch: kernel=tiles grid=2 block=64 args=in:u32[128]:random,out:u32[16]:poison
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "../program.cuh"

namespace cg = cooperative_groups;
extern "C" __global__ void tiles(const unsigned* in, unsigned* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned result = 0;
  if (i / 8 % 2 == 0) {
    result = cg::reduce(tile, in[i], cg::plus<unsigned>());
  } else {
    result = in[i];
    for (unsigned d = 4; d > 0; d /= 2) result = max(result, tile.shfl_xor(result, d));
  }
  if (tile.thread_rank() == 0) out[i / 8] = result;
}

int main() {
  const Buffer<unsigned> in(128, Fill::random);
  const Buffer<unsigned> out(16, Fill::poison);
  tiles<<<2, 64>>>(in.data(), out.data());
  return out.show();
}
