// rejected by: histogram_aggregated: result: histogram[
// why: a last round of fewer than 32 keys is left out

#include "../kernels.hpp"

extern "C" __global__ void histogram_aggregated(const unsigned* keys, unsigned* histogram, unsigned n) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  for (unsigned first = 32 * warp; first + 32 <= n; first += gridDim.x * blockDim.x) {
    const unsigned key = keys[first + lane];
    const unsigned peers = __match_any_sync(0xffffffffu, key);
    if (lane == __ffs(peers) - 1) atomicAdd(&histogram[key], __popc(peers));
  }
}
