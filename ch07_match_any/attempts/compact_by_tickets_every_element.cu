// rejected by: compact_by_tickets: technique: atomic operations
// why: right, but every element draws its own ticket from the counter

#include "../kernels.hpp"

extern "C" __global__ void compact_by_tickets(const unsigned* in, unsigned* out, unsigned* count,
                                              unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (in[i] != 0) out[atomicAdd(count, 1u)] = in[i];
}
