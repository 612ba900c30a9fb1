// rejected by: warp_sum_padded: technique: lanes busy
// why: right, but half of the lanes are kept out of the additions, and the zeros are never read

#include "../kernels.hpp"

__device__ float element(const float* in, unsigned i, unsigned n) { return i < n ? in[i] : 0.0f; }

extern "C" __global__ void warp_sum_padded(const float* in, float* out, unsigned n) {
  __shared__ float values[32 + 16];
  const unsigned lane = threadIdx.x;
  values[16 + lane] = 0.0f;
  __syncwarp();
  values[lane] = element(in, 32 * blockIdx.x + lane, n);
  __syncwarp();

  if (lane < 16) {
    for (unsigned stride = 16; stride > 0; stride /= 2) {
      const float sum = values[lane] + values[lane + stride];
      __syncwarp(0xffffu);
      values[lane] = sum;
      __syncwarp(0xffffu);
    }
  }

  if (lane == 0) out[blockIdx.x] = values[0];
}
