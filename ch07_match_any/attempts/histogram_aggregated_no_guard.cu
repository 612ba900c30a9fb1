// rejected by: histogram_aggregated: safety: out-of-bounds at 12
// why: the lanes past the end read keys that are not there

#include "../kernels.hpp"

extern "C" __global__ void histogram_aggregated(const unsigned* keys, unsigned* histogram, unsigned n) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  for (unsigned first = 32 * warp; first < n; first += gridDim.x * blockDim.x) {
    const unsigned mask = 0xffffffffu;
    if (first < n) {
      const unsigned key = keys[first + lane];
      const unsigned peers = __match_any_sync(mask, key);
      if (lane == __ffs(peers) - 1) atomicAdd(&histogram[key], __popc(peers));
    }
  }
}
