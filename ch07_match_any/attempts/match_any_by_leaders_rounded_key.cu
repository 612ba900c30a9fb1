// rejected by: match_any_by_leaders: result: peers[
// why: the key is passed on as double, which has 64 bits, too, but only 53 of them for digits: it is rounded

#include "../kernels.hpp"

__device__ unsigned match(unsigned mask, double key) {
  unsigned peers = 0;
  for (unsigned waiting = mask; waiting != 0;) {
    const unsigned leader = __ffs(waiting) - 1;
    const bool is_same = __shfl_sync(mask, key, leader) == key;
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
  if (mask >> threadIdx.x % 32 & 1) peers[i] = match(mask, static_cast<double>(keys[i]));
}
