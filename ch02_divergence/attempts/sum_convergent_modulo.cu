// rejected by: sum_convergent: technique: divergent branches
// why: right, but the threads that add lie far apart: fig. 10.6 under the name of fig. 10.9

#include "../kernels.hpp"

extern "C" __global__ void sum_convergent(float* values) {
  const unsigned i = 2 * threadIdx.x;
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    if (threadIdx.x % stride == 0) values[i] += values[i + stride];
    __syncthreads();
  }
}
