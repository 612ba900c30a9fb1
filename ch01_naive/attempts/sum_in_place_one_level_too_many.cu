// rejected by: sum_in_place: safety: out-of-bounds at 9
// why: the last level asks for an element behind the array

#include "../kernels.hpp"

extern "C" __global__ void sum_in_place(float* values) {
  const unsigned i = 2 * threadIdx.x;
  for (unsigned stride = 1; stride <= 2 * blockDim.x; stride *= 2) {
    if (threadIdx.x % stride == 0) values[i] += values[i + stride];
    __syncthreads();
  }
}
