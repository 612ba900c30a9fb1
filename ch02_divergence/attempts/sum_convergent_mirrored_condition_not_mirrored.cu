// rejected by: sum_convergent_mirrored: result: n = 4: values[3] is 21, expected 44
// why: the owners are mirrored, the condition is not: the last thread stops after one level

#include "../kernels.hpp"

extern "C" __global__ void sum_convergent_mirrored(float* values) {
  const unsigned i = blockDim.x + threadIdx.x;
  for (unsigned stride = blockDim.x; stride >= 1; stride /= 2) {
    if (threadIdx.x < stride) values[i] += values[i - stride];
    __syncthreads();
  }
}
