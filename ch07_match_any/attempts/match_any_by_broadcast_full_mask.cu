// rejected by: match_any_by_broadcast: safety: sync at 11
// why: the masks name all 32 lanes, but only those that take part are here

#include "../kernels.hpp"

__device__ unsigned match(unsigned mask, unsigned long long key) {
  const unsigned lane = threadIdx.x % 32;
  unsigned peers = 0;
  for (unsigned source = 0; source < 32; ++source) {
    const unsigned from = mask >> source & 1 ? source : lane;
    const unsigned same = __ballot_sync(0xffffffffu, __shfl_sync(0xffffffffu, key, from) == key);
    if (lane == source) peers = same;
  }
  return peers;
}

extern "C" __global__ void match_any_by_broadcast(const unsigned long long* keys, const unsigned* active,
                                                  unsigned* peers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  const bool takes_part = mask >> threadIdx.x % 32 & 1;
  unsigned result = 0;
  if (takes_part) result = match(mask, keys[i]);
  __syncwarp();  // the whole warp goes on together
  if (takes_part) peers[i] = result;
}
