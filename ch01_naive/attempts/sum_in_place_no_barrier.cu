// rejected by: sum_in_place: safety: race at 9
// why: a level reads sums that the level before may not have stored yet

#include "../kernels.hpp"

extern "C" __global__ void sum_in_place(float* values) {
  const unsigned i = 2 * threadIdx.x;
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    if (threadIdx.x % stride == 0) values[i] += values[i + stride];
  }
}
