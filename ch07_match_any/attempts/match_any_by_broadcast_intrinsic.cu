// rejected by: match_any_by_broadcast: technique: match instructions
// why: right, but it is the instruction that the exercise is to do without

#include "../kernels.hpp"

__device__ unsigned match(unsigned mask, unsigned long long key) { return __match_any_sync(mask, key); }

extern "C" __global__ void match_any_by_broadcast(const unsigned long long* keys, const unsigned* active,
                                                  unsigned* peers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  if (mask >> threadIdx.x % 32 & 1) peers[i] = match(mask, keys[i]);
}
