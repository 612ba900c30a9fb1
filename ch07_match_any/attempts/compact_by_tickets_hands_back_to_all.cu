// rejected by: compact_by_tickets: safety: sync at 17
// why: the mask of the shuffle names all 32 lanes, but only those that keep an element are here

#include "../kernels.hpp"

extern "C" __global__ void compact_by_tickets(const unsigned* in, unsigned* out, unsigned* count,
                                              unsigned n) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  for (unsigned first = 32 * warp; first < n; first += gridDim.x * blockDim.x) {
    const unsigned value = first + lane < n ? in[first + lane] : 0;
    const unsigned kept = __ballot_sync(0xffffffffu, value != 0);
    if (value != 0) {
      const unsigned leader = __ffs(kept) - 1;
      unsigned start = 0;
      if (lane == leader) start = atomicAdd(count, __popc(kept));
      out[__shfl_sync(0xffffffffu, start, leader) + __popc(kept & ((1u << lane) - 1))] = value;
    }
  }
}
