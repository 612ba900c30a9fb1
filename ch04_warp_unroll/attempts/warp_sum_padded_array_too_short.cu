// rejected by: warp_sum_padded: safety: out-of-bounds at 15
// why: lane 31 reads slot 47, and the array ends at slot 31

#include "../kernels.hpp"

__device__ float element(const float* in, unsigned i, unsigned n) { return i < n ? in[i] : 0.0f; }

extern "C" __global__ void warp_sum_padded(const float* in, float* out, unsigned n) {
  __shared__ float values[32];
  const unsigned lane = threadIdx.x;
  values[lane] = element(in, 32 * blockIdx.x + lane, n);
  __syncwarp();

  for (unsigned stride = 16; stride > 0; stride /= 2) {
    const float sum = values[lane] + values[lane + stride];
    __syncwarp();
    values[lane] = sum;
    __syncwarp();
  }

  if (lane == 0) out[blockIdx.x] = values[0];
}
