// rejected by: sum_in_place: safety: barrier at 11
// why: only the threads that add arrive at the barrier; the others go around it

#include "../kernels.hpp"

extern "C" __global__ void sum_in_place(float* values) {
  const unsigned i = 2 * threadIdx.x;
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    if (threadIdx.x % stride == 0) {
      values[i] += values[i + stride];
      __syncthreads();
    }
  }
}
