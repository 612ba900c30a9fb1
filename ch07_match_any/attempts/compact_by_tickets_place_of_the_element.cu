// rejected by: compact_by_tickets: result: was not written
// why: counts what is kept, but writes each element where it stood

#include "../kernels.hpp"

extern "C" __global__ void compact_by_tickets(const unsigned* in, unsigned* out, unsigned* count,
                                              unsigned n) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  for (unsigned first = 32 * warp; first < n; first += gridDim.x * blockDim.x) {
    const unsigned value = first + lane < n ? in[first + lane] : 0;
    const unsigned kept = __ballot_sync(0xffffffffu, value != 0);
    if (lane == 0 && kept != 0) atomicAdd(count, __popc(kept));
    if (value != 0) out[first + lane] = value;
  }
}
