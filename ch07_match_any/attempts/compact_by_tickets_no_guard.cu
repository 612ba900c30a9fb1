// rejected by: compact_by_tickets: safety: out-of-bounds at 11
// why: the lanes past the end read elements that are not there

#include "../kernels.hpp"

extern "C" __global__ void compact_by_tickets(const unsigned* in, unsigned* out, unsigned* count,
                                              unsigned n) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  for (unsigned first = 32 * warp; first < n; first += gridDim.x * blockDim.x) {
    const unsigned value = in[first + lane];
    const unsigned kept = __ballot_sync(0xffffffffu, value != 0);
    if (value != 0) {
      const unsigned leader = __ffs(kept) - 1;
      unsigned start = 0;
      if (lane == leader) start = atomicAdd(count, __popc(kept));
      out[__shfl_sync(kept, start, leader) + __popc(kept & ((1u << lane) - 1))] = value;
    }
  }
}
