// rejected by: warp_sum_step_condition: technique: shuffles
// why: right, and chapter 5: the values are to lie in shared memory

#include "../kernels.hpp"

__device__ float element(const float* in, unsigned i, unsigned n) { return i < n ? in[i] : 0.0f; }

extern "C" __global__ void warp_sum_step_condition(const float* in, float* out, unsigned n) {
  const unsigned lane = threadIdx.x;
  float sum = element(in, 32 * blockIdx.x + lane, n);
  for (unsigned stride = 16; stride > 0; stride /= 2) sum += __shfl_down_sync(0xffffffffu, sum, stride);
  if (lane == 0) out[blockIdx.x] = sum;
}
