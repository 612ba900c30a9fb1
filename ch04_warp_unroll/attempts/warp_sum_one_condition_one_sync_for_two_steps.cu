// rejected by: warp_sum_one_condition: safety: race at 18
// why: every second step reads sums that the step before may not have stored yet

#include "../kernels.hpp"

__device__ float element(const float* in, unsigned i, unsigned n) { return i < n ? in[i] : 0.0f; }

extern "C" __global__ void warp_sum_one_condition(const float* in, float* out, unsigned n) {
  __shared__ float values[32];
  const unsigned lane = threadIdx.x;
  values[lane] = element(in, 32 * blockIdx.x + lane, n);
  __syncwarp();

  if (lane < 16) {
    float sum = values[lane] + values[lane + 16];
    __syncwarp(0xffffu);
    values[lane] = sum;
    sum += values[lane + 8];
    __syncwarp(0xffffu);
    values[lane] = sum;
    __syncwarp(0xffffu);
    sum += values[lane + 4];
    __syncwarp(0xffffu);
    values[lane] = sum;
    sum += values[lane + 2];
    __syncwarp(0xffffu);
    values[lane] = sum;
    __syncwarp(0xffffu);
    sum += values[lane + 1];
    values[lane] = sum;
  }

  if (lane == 0) out[blockIdx.x] = values[0];
}
