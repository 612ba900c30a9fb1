// rejected by: compact_by_tickets: result: count[
// why: the tickets are drawn by all lanes, also by those whose element is 0

#include "../kernels.hpp"

extern "C" __global__ void compact_by_tickets(const unsigned* in, unsigned* out, unsigned* count,
                                              unsigned n) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  for (unsigned first = 32 * warp; first < n; first += gridDim.x * blockDim.x) {
    const unsigned value = first + lane < n ? in[first + lane] : 0;
    const unsigned kept = __ballot_sync(0xffffffffu, value != 0);
    const unsigned all = __ballot_sync(0xffffffffu, first + lane < n);
    unsigned start = 0;
    if (lane == 0) start = atomicAdd(count, __popc(all));
    start = __shfl_sync(0xffffffffu, start, 0);
    if (value != 0) out[start + __popc(kept & ((1u << lane) - 1))] = value;
  }
}
