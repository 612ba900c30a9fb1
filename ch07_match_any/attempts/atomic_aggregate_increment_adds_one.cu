// rejected by: atomic_aggregate_increment: result: counters[
// why: the leader adds 1, not as many as it stands for

#include "../kernels.hpp"

__device__ unsigned increment(unsigned mask, unsigned* counter) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned peers = __match_any_sync(mask, reinterpret_cast<unsigned long long>(counter));
  const unsigned leader = __ffs(peers) - 1;
  unsigned first = 0;
  if (lane == leader) first = atomicAdd(counter, 1u);
  first = __shfl_sync(mask, first, leader);
  const unsigned rank = __popc(peers & ((1u << lane) - 1));
  return first + rank;
}

extern "C" __global__ void atomic_aggregate_increment(const unsigned* which, const unsigned* active,
                                                      unsigned* counters, unsigned* tickets) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  if (mask >> threadIdx.x % 32 & 1) tickets[i] = increment(mask, &counters[which[i]]);
}
