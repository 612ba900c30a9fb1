// rejected by: reduce_atomic: safety: race at 27
// why: two blocks may read the same total and each write it back with its own sum alone

#include "../kernels.hpp"

__device__ float warp_sum(float value) {
  for (unsigned distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

__device__ float block_sum(float value) {
  __shared__ float warp_sums[32];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  value = warp_sum(value);
  if (lane == 0) warp_sums[warp] = value;
  __syncthreads();
  if (warp == 0) value = warp_sum(lane < blockDim.x / 32 ? warp_sums[lane] : 0.0f);
  return value;
}

extern "C" __global__ void reduce_atomic(const float* in, float* total, unsigned n) {
  float sum = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) *total += sum;
}
