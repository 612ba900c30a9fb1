// rejected by: reduce_shuffle: safety: race at 18
// why: the first warp reads the sums of warps that may not have stored them yet

#include "../kernels.hpp"

__device__ float warp_sum(float value) {
  for (unsigned distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

extern "C" __global__ void reduce_shuffle(const float* in, float* out, unsigned n) {
  __shared__ float warp_sums[32];
  float sum = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;
  if (threadIdx.x < 32) sum = warp_sum(threadIdx.x < blockDim.x / 32 ? warp_sums[threadIdx.x] : 0.0f);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
