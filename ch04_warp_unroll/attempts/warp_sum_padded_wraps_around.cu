// rejected by: warp_sum_padded: technique: slots in shared memory
// why: right, and without a condition, but nothing is padded: the indices wrap around, and no lane adds a zero

#include "../kernels.hpp"

extern "C" __global__ void warp_sum_padded(const float* in, float* out, unsigned n) {
  __shared__ float values[32];
  const unsigned lane = threadIdx.x, i = 32 * blockIdx.x + lane;
  values[lane] = i < n ? in[i] : 0.0f;
  __syncwarp();

  for (unsigned stride = 16; stride > 0; stride /= 2) {
    const float sum = values[lane] + values[(lane + stride) % 32];
    __syncwarp();
    values[lane] = sum;
    __syncwarp();
  }
  if (lane == 0) out[blockIdx.x] = values[0];
}
