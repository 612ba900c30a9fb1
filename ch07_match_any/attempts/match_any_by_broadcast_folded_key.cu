// rejected by: match_any_by_broadcast: result: peers[
// why: the halves of the key are folded into one word, one shuffle a round: other keys fold to the same word

#include "../kernels.hpp"

__device__ unsigned match(unsigned mask, unsigned key) {
  const unsigned lane = threadIdx.x % 32;
  unsigned peers = 0;
  for (unsigned source = 0; source < 32; ++source) {
    const unsigned from = mask >> source & 1 ? source : lane;
    const unsigned same = __ballot_sync(mask, __shfl_sync(mask, key, from) == key);
    if (lane == source) peers = same;
  }
  return peers;
}

extern "C" __global__ void match_any_by_broadcast(const unsigned long long* keys, const unsigned* active,
                                                  unsigned* peers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  if (mask >> threadIdx.x % 32 & 1)
    peers[i] = match(mask, static_cast<unsigned>(keys[i]) ^ static_cast<unsigned>(keys[i] >> 32));
}
