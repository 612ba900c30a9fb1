// rejected by: sum_convergent_mirrored: result: n = 2: values[1] is 10, expected 20
// why: the kernel of fig. 10.9 unchanged: the sum is in the first element

#include "../kernels.hpp"

extern "C" __global__ void sum_convergent_mirrored(float* values) {
  const unsigned i = threadIdx.x;
  for (unsigned stride = blockDim.x; stride >= 1; stride /= 2) {
    if (threadIdx.x < stride) values[i] += values[i + stride];
    __syncthreads();
  }
}
