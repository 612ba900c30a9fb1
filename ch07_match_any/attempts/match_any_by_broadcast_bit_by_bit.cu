// rejected by: match_any_by_broadcast: technique: rounds (votes)
// why: right, but a ballot for each bit of the key: 64 rounds, where 32 lanes need 32

#include "../kernels.hpp"

__device__ unsigned match(unsigned mask, unsigned long long key) {
  unsigned peers = mask;
  for (unsigned bit = 0; bit < 64; ++bit) {
    const bool is_set = (key >> bit & 1) != 0;
    const unsigned set = __ballot_sync(mask, is_set);
    peers &= is_set ? set : ~set;
  }
  return peers;
}

extern "C" __global__ void match_any_by_broadcast(const unsigned long long* keys, const unsigned* active,
                                                  unsigned* peers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  if (mask >> threadIdx.x % 32 & 1) peers[i] = match(mask, keys[i]);
}
