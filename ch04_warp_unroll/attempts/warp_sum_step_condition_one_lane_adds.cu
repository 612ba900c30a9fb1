// rejected by: warp_sum_step_condition: technique: exchanges
// why: right, but no tree: one lane adds everything while all others wait

#include "../kernels.hpp"

__device__ float element(const float* in, unsigned i, unsigned n) { return i < n ? in[i] : 0.0f; }

extern "C" __global__ void warp_sum_step_condition(const float* in, float* out, unsigned n) {
  __shared__ float values[32];
  const unsigned lane = threadIdx.x;
  values[lane] = element(in, 32 * blockIdx.x + lane, n);
  __syncwarp();

  if (lane == 0) {
    float sum = 0.0f;
    for (unsigned i = 0; i < 32; ++i) sum += values[i];
    out[blockIdx.x] = sum;
  }
}
