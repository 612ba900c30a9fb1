// rejected by: sum_convergent_mirrored: safety: race at 9
// why: a level reads sums that the level before may not have stored yet

#include "../kernels.hpp"

extern "C" __global__ void sum_convergent_mirrored(float* values) {
  const unsigned i = blockDim.x + threadIdx.x;
  for (unsigned stride = blockDim.x; stride >= 1; stride /= 2) {
    if (threadIdx.x >= blockDim.x - stride) values[i] += values[i - stride];
  }
}
