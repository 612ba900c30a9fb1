// rejected by: match_any_by_leaders: safety: sync at 10
// why: the mask of the shuffle names all 32 lanes, but only those that take part are here

#include "../kernels.hpp"

__device__ unsigned match(unsigned mask, unsigned long long key) {
  unsigned peers = 0;
  for (unsigned waiting = mask; waiting != 0;) {
    const unsigned leader = __ffs(waiting) - 1;
    const bool is_same = __shfl_sync(0xffffffffu, key, leader) == key;
    const unsigned group = __ballot_sync(mask, is_same);
    if (is_same) peers = group;
    waiting &= ~group;
  }
  return peers;
}

extern "C" __global__ void match_any_by_leaders(const unsigned long long* keys, const unsigned* active,
                                                unsigned* peers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  const bool takes_part = mask >> threadIdx.x % 32 & 1;
  unsigned result = 0;
  if (takes_part) result = match(mask, keys[i]);
  __syncwarp();  // the whole warp goes on together
  if (takes_part) peers[i] = result;
}
