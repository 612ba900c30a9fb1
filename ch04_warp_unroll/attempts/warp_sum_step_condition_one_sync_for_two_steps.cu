// rejected by: warp_sum_step_condition: safety: race at 15
// why: every second step reads sums that the step before may not have stored yet

#include "../kernels.hpp"

__device__ float element(const float* in, unsigned i, unsigned n) { return i < n ? in[i] : 0.0f; }

extern "C" __global__ void warp_sum_step_condition(const float* in, float* out, unsigned n) {
  __shared__ float values[32];
  const unsigned lane = threadIdx.x;
  values[lane] = element(in, 32 * blockIdx.x + lane, n);
  __syncwarp();

  if (lane < 16) values[lane] += values[lane + 16];
  if (lane < 8) values[lane] += values[lane + 8];
  __syncwarp();
  if (lane < 4) values[lane] += values[lane + 4];
  if (lane < 2) values[lane] += values[lane + 2];
  __syncwarp();
  if (lane < 1) values[lane] += values[lane + 1];

  if (lane == 0) out[blockIdx.x] = values[0];
}
