// rejected by: warp_sum_step_condition: safety: out-of-bounds at 11
// why: the lanes past the end of the input read what does not belong to it

#include "../kernels.hpp"

__device__ float element(const float* in, unsigned i, unsigned n) { return i < n ? in[i] : 0.0f; }

extern "C" __global__ void warp_sum_step_condition(const float* in, float* out, unsigned n) {
  __shared__ float values[32];
  const unsigned lane = threadIdx.x;
  values[lane] = in[32 * blockIdx.x + lane];
  __syncwarp();

  for (unsigned stride = 16; stride > 0; stride /= 2) {
    if (lane < stride) values[lane] += values[lane + stride];
    __syncwarp();
  }

  if (lane == 0) out[blockIdx.x] = values[0];
}
