// rejected by: compact_by_tickets: result: was not written
// why: only the leader knows where its warp's places start; the others write from 0 on

#include "../kernels.hpp"

extern "C" __global__ void compact_by_tickets(const unsigned* in, unsigned* out, unsigned* count,
                                              unsigned n) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  for (unsigned first = 32 * warp; first < n; first += gridDim.x * blockDim.x) {
    const unsigned value = first + lane < n ? in[first + lane] : 0;
    const unsigned kept = __ballot_sync(0xffffffffu, value != 0);
    if (value != 0) {
      unsigned start = 0;
      if (lane == __ffs(kept) - 1) start = atomicAdd(count, __popc(kept));
      out[start + __popc(kept & ((1u << lane) - 1))] = value;
    }
  }
}
