// rejected by: sum_convergent: result: n = 2: values[0] is 10, expected 20
// why: the loop ends one level early: the two halves are never joined

#include "../kernels.hpp"

extern "C" __global__ void sum_convergent(float* values) {
  const unsigned i = threadIdx.x;
  for (unsigned stride = blockDim.x; stride > 1; stride /= 2) {
    if (threadIdx.x < stride) values[i] += values[i + stride];
    __syncthreads();
  }
}
