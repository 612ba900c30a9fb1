// rejected by: sum_convergent_mirrored: result: n = 2: values[1] is 10, expected 20
// why: the condition leaves out the first of the threads that have to add

#include "../kernels.hpp"

extern "C" __global__ void sum_convergent_mirrored(float* values) {
  const unsigned i = blockDim.x + threadIdx.x;
  for (unsigned stride = blockDim.x; stride >= 1; stride /= 2) {
    if (threadIdx.x > blockDim.x - stride) values[i] += values[i - stride];
    __syncthreads();
  }
}
