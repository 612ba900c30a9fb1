// rejected by: reduce_to_the_roof: technique: sectors a load request
// why: right, but 4 bytes a lane and request

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

extern "C" __global__ void __launch_bounds__(warpwise::ch05::roof_threads)
    reduce_to_the_roof(const float* in, float* out, unsigned n, float* partials, unsigned* ticket) {
  const unsigned threads = gridDim.x * blockDim.x;
  float sum = 0.0f;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n && n - i > 3 * threads; i += 4 * threads)
    sum += (in[i] + in[i + threads]) + (in[i + 2 * threads] + in[i + 3 * threads]);
  for (; i < n; i += threads) sum += in[i];

  __shared__ bool is_last;
  sum = block_sum(sum);
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
  sum = 0.0f;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) sum += partials[b];
  sum = block_sum(sum);
  if (threadIdx.x == 0) *out = sum;
}
