// rejected by: atomic_aggregate_increment: safety: sync at 8
// why: the mask of the match names all 32 lanes, but only those that take part are here

#include "../kernels.hpp"

__device__ unsigned increment(unsigned mask, unsigned* counter) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned peers = __match_any_sync(0xffffffffu, reinterpret_cast<unsigned long long>(counter));
  const unsigned leader = __ffs(peers) - 1;
  unsigned first = 0;
  if (lane == leader) first = atomicAdd(counter, __popc(peers));
  first = __shfl_sync(mask, first, leader);
  const unsigned rank = __popc(peers & ((1u << lane) - 1));
  return first + rank;
}

extern "C" __global__ void atomic_aggregate_increment(const unsigned* which, const unsigned* active,
                                                      unsigned* counters, unsigned* tickets) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  const bool takes_part = mask >> threadIdx.x % 32 & 1;
  unsigned ticket = 0;
  if (takes_part) ticket = increment(mask, &counters[which[i]]);
  __syncwarp();  // the whole warp goes on together
  if (takes_part) tickets[i] = ticket;
}
