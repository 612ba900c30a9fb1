// rejected by: match_any_by_leaders: result: peers[
// why: one round: only the group of the first lane is found, and the others get what is left

#include "../kernels.hpp"

__device__ unsigned match(unsigned mask, unsigned long long key) {
  const bool is_same = __shfl_sync(mask, key, __ffs(mask) - 1) == key;
  const unsigned group = __ballot_sync(mask, is_same);
  return is_same ? group : mask & ~group;
}

extern "C" __global__ void match_any_by_leaders(const unsigned long long* keys, const unsigned* active,
                                                unsigned* peers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  if (mask >> threadIdx.x % 32 & 1) peers[i] = match(mask, keys[i]);
}
