// rejected by: sum_in_place: result: n =
// why: the loop ends one level early: the second half is never added

#include "../kernels.hpp"

extern "C" __global__ void sum_in_place(float* values) {
  const unsigned i = 2 * threadIdx.x;
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (threadIdx.x % stride == 0) values[i] += values[i + stride];
    __syncthreads();
  }
}
