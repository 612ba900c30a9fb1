// rejected by: match_any_by_broadcast: technique: global load requests
// why: right, but each lane reads the keys of the others from memory: no exchange between lanes

#include "../kernels.hpp"

__device__ unsigned match(unsigned mask, const unsigned long long* keys, unsigned lane) {
  unsigned peers = 0;
  for (unsigned source = 0; source < 32; ++source)
    if ((mask >> source & 1) != 0 && keys[source] == keys[lane]) peers |= 1u << source;
  return peers;
}

extern "C" __global__ void match_any_by_broadcast(const unsigned long long* keys, const unsigned* active,
                                                  unsigned* peers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  const unsigned lane = threadIdx.x % 32;
  if (mask >> lane & 1) peers[i] = match(mask, keys + (i - lane), lane);
}
