// rejected by: dot_product: result: n = 33, block = 32, grid = 1:
// why: multiplies sums: (a0 + a1) * (b0 + b1) is not a0 * b0 + a1 * b1

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

extern "C" __global__ void dot_product(const float* a, const float* b, float* out, unsigned n) {
  float sum_a = 0.0f, sum_b = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum_a += a[i];
    sum_b += b[i];
  }
  const float sum = block_sum(sum_a * sum_b);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
