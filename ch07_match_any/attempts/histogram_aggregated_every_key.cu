// rejected by: histogram_aggregated: technique: atomic operations
// why: right, but one atomic operation for each key

#include "../kernels.hpp"

extern "C" __global__ void histogram_aggregated(const unsigned* keys, unsigned* histogram, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&histogram[keys[i]], 1u);
}
