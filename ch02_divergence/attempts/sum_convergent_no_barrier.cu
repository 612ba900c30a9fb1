// rejected by: sum_convergent: safety: race at 9
// why: a level reads sums that the level before may not have stored yet

#include "../kernels.hpp"

extern "C" __global__ void sum_convergent(float* values) {
  const unsigned i = threadIdx.x;
  for (unsigned stride = blockDim.x; stride >= 1; stride /= 2) {
    if (threadIdx.x < stride) values[i] += values[i + stride];
  }
}
