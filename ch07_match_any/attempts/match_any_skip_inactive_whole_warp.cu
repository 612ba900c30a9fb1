// rejected by: match_any_skip_inactive: safety: uninitialised at 21
// why: all 32 lanes load a key and come to every exchange, those that take no part and have no key, too

#include "../kernels.hpp"

__device__ unsigned match(unsigned mask, unsigned long long key) {
  const unsigned lane = threadIdx.x % 32;
  unsigned peers = 0;
  for (unsigned left = mask; left != 0; left &= left - 1) {
    const unsigned source = __ffs(left) - 1;
    const unsigned same = __ballot_sync(0xffffffffu, __shfl_sync(0xffffffffu, key, source) == key);
    if (lane == source) peers = same & mask;
  }
  return peers;
}

extern "C" __global__ void match_any_skip_inactive(const unsigned long long* keys, const unsigned* active,
                                                   unsigned* peers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  const unsigned result = match(mask, keys[i]);
  if (mask >> threadIdx.x % 32 & 1) peers[i] = result;
}
