// rejected by: dot_product: result: n = 1, block = 32, grid = 1:
// why: a loop over whole rounds only: what does not fill a round is never added

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
  const unsigned threads = gridDim.x * blockDim.x;
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (unsigned round = 0; round < n / threads; ++round) {
    const unsigned i = round * threads + thread;
    sum += a[i] * b[i];
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
