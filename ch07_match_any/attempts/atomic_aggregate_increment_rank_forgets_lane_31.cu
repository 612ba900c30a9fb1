// rejected by: atomic_aggregate_increment: result: tickets[
// why: counts the bits up to and including the own one, below 1 << (lane + 1): for lane 31 that is 1 << 32

#include "../kernels.hpp"

__device__ unsigned increment(unsigned mask, unsigned* counter) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned peers = __match_any_sync(mask, reinterpret_cast<unsigned long long>(counter));
  const unsigned leader = __ffs(peers) - 1;
  unsigned first = 0;
  if (lane == leader) first = atomicAdd(counter, __popc(peers));
  first = __shfl_sync(mask, first, leader);
  unsigned rank = 0;
  for (unsigned bit = 1; bit < 1u << (lane + 1); bit *= 2) rank += (peers & bit) != 0;
  rank -= 1;  // the own bit
  return first + rank;
}

extern "C" __global__ void atomic_aggregate_increment(const unsigned* which, const unsigned* active,
                                                      unsigned* counters, unsigned* tickets) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  if (mask >> threadIdx.x % 32 & 1) tickets[i] = increment(mask, &counters[which[i]]);
}
