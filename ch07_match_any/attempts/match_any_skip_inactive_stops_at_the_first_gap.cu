// rejected by: match_any_skip_inactive: result: peers[
// why: the loop ends at the first lane that is away, not after the last that is here

#include "../kernels.hpp"

__device__ unsigned match(unsigned mask, unsigned long long key) {
  const unsigned lane = threadIdx.x % 32;
  unsigned peers = 0;
  for (unsigned source = __ffs(mask) - 1; source < 32 && (mask >> source & 1) != 0; ++source) {
    const unsigned same = __ballot_sync(mask, __shfl_sync(mask, key, source) == key);
    if (lane == source) peers = same;
  }
  return peers;
}

extern "C" __global__ void match_any_skip_inactive(const unsigned long long* keys, const unsigned* active,
                                                   unsigned* peers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  if (mask >> threadIdx.x % 32 & 1) peers[i] = match(mask, keys[i]);
}
