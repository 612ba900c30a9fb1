// rejected by: match_any_by_leaders: safety: sync at 10
// why: who knows its peers leaves the loop, but the masks of the next round still name it

#include "../kernels.hpp"

__device__ unsigned match(unsigned mask, unsigned long long key) {
  unsigned peers = 0;
  for (unsigned waiting = mask; waiting != 0;) {
    const unsigned leader = __ffs(waiting) - 1;
    const bool is_same = __shfl_sync(mask, key, leader) == key;
    const unsigned group = __ballot_sync(mask, is_same);
    if (is_same) return group;
    waiting &= ~group;
  }
  return peers;
}

extern "C" __global__ void match_any_by_leaders(const unsigned long long* keys, const unsigned* active,
                                                unsigned* peers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  if (mask >> threadIdx.x % 32 & 1) peers[i] = match(mask, keys[i]);
}
