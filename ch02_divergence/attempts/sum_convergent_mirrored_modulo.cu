// rejected by: sum_convergent_mirrored: technique: divergent branches
// why: right, but the threads that add lie far apart

#include "../kernels.hpp"

extern "C" __global__ void sum_convergent_mirrored(float* values) {
  const unsigned i = 2 * threadIdx.x + 1;
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    if ((threadIdx.x + 1) % stride == 0) values[i] += values[i - stride];
    __syncthreads();
  }
}
