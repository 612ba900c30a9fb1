// rejected by: sum_convergent: safety: barrier at 11
// why: only the threads that add arrive at the barrier; the others go around it

#include "../kernels.hpp"

extern "C" __global__ void sum_convergent(float* values) {
  const unsigned i = threadIdx.x;
  for (unsigned stride = blockDim.x; stride >= 1; stride /= 2) {
    if (threadIdx.x < stride) {
      values[i] += values[i + stride];
      __syncthreads();
    }
  }
}
