// rejected by: sum_convergent: result: n = 2: values[0] is 10, expected 20
// why: the first stride is half of what it must be: the last half is never added

#include "../kernels.hpp"

extern "C" __global__ void sum_convergent(float* values) {
  const unsigned i = threadIdx.x;
  for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
    if (threadIdx.x < stride) values[i] += values[i + stride];
    __syncthreads();
  }
}
