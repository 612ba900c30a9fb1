// rejected by: reduce_to_the_roof: result: n = 1, grid = 2, in starts at a 16-byte boundary
// why: the last n mod 4 elements fill no float4 and are never added

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
  const unsigned misplaced = static_cast<unsigned>(reinterpret_cast<size_t>(in) / 4 % 4);
  const unsigned head = min((4 - misplaced) % 4, n);
  const unsigned quads = (n - head) / 4;
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned threads = gridDim.x * blockDim.x;
  float sum = 0.0f;
  if (thread < head) sum += in[thread];
  const float4* const in4 = reinterpret_cast<const float4*>(in + head);
  unsigned i = thread;
  for (; i < quads && quads - i > 3 * threads; i += 4 * threads) {
    const float4 a = in4[i], b = in4[i + threads], c = in4[i + 2 * threads], d = in4[i + 3 * threads];
    sum += ((a.x + a.y) + (a.z + a.w)) + ((b.x + b.y) + (b.z + b.w));
    sum += ((c.x + c.y) + (c.z + c.w)) + ((d.x + d.y) + (d.z + d.w));
  }
  for (; i < quads; i += threads) {
    const float4 a = in4[i];
    sum += (a.x + a.y) + (a.z + a.w);
  }

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
