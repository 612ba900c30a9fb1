// rejected by: warp_sum_one_condition: technique: divergent branches
// why: right, but there is a condition in every step

#include "../kernels.hpp"

__device__ float element(const float* in, unsigned i, unsigned n) { return i < n ? in[i] : 0.0f; }

extern "C" __global__ void warp_sum_one_condition(const float* in, float* out, unsigned n) {
  __shared__ float values[32];
  const unsigned lane = threadIdx.x;
  values[lane] = element(in, 32 * blockIdx.x + lane, n);
  __syncwarp();

  for (unsigned stride = 16; stride > 0; stride /= 2) {
    if (lane < stride) values[lane] += values[lane + stride];
    __syncwarp();
  }

  if (lane == 0) out[blockIdx.x] = values[0];
}
