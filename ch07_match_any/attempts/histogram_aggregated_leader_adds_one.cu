// rejected by: histogram_aggregated: result: histogram[
// why: the leader adds 1, not as many as it stands for

#include "../kernels.hpp"

extern "C" __global__ void histogram_aggregated(const unsigned* keys, unsigned* histogram, unsigned n) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  for (unsigned first = 32 * warp; first < n; first += gridDim.x * blockDim.x) {
    const unsigned mask = __ballot_sync(0xffffffffu, first + lane < n);
    if (first + lane < n) {
      const unsigned key = keys[first + lane];
      const unsigned peers = __match_any_sync(mask, key);
      if (lane == __ffs(peers) - 1) atomicAdd(&histogram[key], 1u);
    }
  }
}
