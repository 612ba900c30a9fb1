// rejected by: atomic_aggregate_increment: technique: atomic operations
// why: right, but one atomic operation for each lane

#include "../kernels.hpp"

__device__ unsigned increment(unsigned, unsigned* counter) { return atomicAdd(counter, 1u); }

extern "C" __global__ void atomic_aggregate_increment(const unsigned* which, const unsigned* active,
                                                      unsigned* counters, unsigned* tickets) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  if (mask >> threadIdx.x % 32 & 1) tickets[i] = increment(mask, &counters[which[i]]);
}
