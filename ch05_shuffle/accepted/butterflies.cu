// accepted: butterflies everywhere, so that all lanes know each result; every warp adds up the sums of all
// warps

#include "../kernels.hpp"
#include "../operators.hpp"
#include "parts.cuh"
#include "roof_steps.cuh"

extern "C" __global__ void broadcast(const float* in, float* out, unsigned source) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __shfl_xor_sync(0xffffffffu, in[i], (threadIdx.x % 32) ^ source);  // a distance for each lane
}

extern "C" __global__ void shift_up(const float* in, float* out, unsigned distance) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  out[i] = __shfl_sync(0xffffffffu, in[i], lane < distance ? lane : lane - distance);
}

extern "C" __global__ void shift_down(const float* in, float* out, unsigned distance) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  out[i] =
      __shfl_sync(0xffffffffu, in[i], min(31u, lane + distance) == lane + distance ? lane + distance : lane);
}

extern "C" __global__ void butterfly_sum(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = in[i];
  for (unsigned bit = 16; bit > 0; bit >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, bit);
  out[i] = sum;
}

template <class Operator, class T>
__device__ T all_reduce(T value) {
  for (unsigned bit = 1; bit < 32; bit *= 2)
    value = Operator::combine(value, __shfl_xor_sync(0xffffffffu, value, bit));
  return value;
}

template <class Operator, class T>
__device__ void each_warp(const T* in, T* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  T value = Operator::identity();
  if (i < n) value = Operator::combine(value, in[i]);
  value = all_reduce<Operator>(value);
  if (threadIdx.x % 32 == 31) out[i / 32] = value;
}

#include "warp_kernels.cuh"

__device__ float block_sum(float value) {
  __shared__ float sums[32];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  value = all_reduce<Sum>(value);
  if (lane == warp) sums[warp] = value;
  __syncthreads();
  return all_reduce<Sum>(32 * lane < blockDim.x ? sums[lane] : 0.0f);
}

extern "C" __global__ void reduce_shuffle(const float* in, float* out, unsigned n) {
  float sum = 0.0f;
  for (const float* p = in + blockIdx.x * blockDim.x + threadIdx.x; p < in + n; p += gridDim.x * blockDim.x)
    sum += *p;
  sum = block_sum(sum);
  if (threadIdx.x == blockDim.x - 1) out[blockIdx.x] = sum;
}

extern "C" __global__ void reduce_atomic(const float* in, float* total, unsigned n) {
  float sum = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sum = block_sum(sum);
  if (threadIdx.x == blockDim.x - 1 && sum != 0.0f) atomicAdd(total, sum);
}

extern "C" __global__ void reduce_argmax(const float* in, float* value, unsigned* index, unsigned n) {
  // The largest value first, then the lowest index among the lanes that have it.
  __shared__ float values[32];
  __shared__ unsigned indices[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float best = Max::identity();
  unsigned at = 0xffffffffu;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (in[i] > best || (in[i] == best && at == 0xffffffffu)) {
      best = in[i];
      at = i;
    }
  const float largest = all_reduce<Max>(best);
  unsigned lowest = best == largest ? at : 0xffffffffu;
  for (unsigned bit = 1; bit < 32; bit *= 2) lowest = min(lowest, __shfl_xor_sync(0xffffffffu, lowest, bit));
  if (lane == 0) {
    values[warp] = largest;
    indices[warp] = lowest;
  }
  __syncthreads();
  const bool is_mine = 32 * lane < blockDim.x;
  best = is_mine ? values[lane] : Max::identity();
  at = is_mine ? indices[lane] : 0xffffffffu;
  const float block_largest = all_reduce<Max>(best);
  lowest = best == block_largest ? at : 0xffffffffu;
  for (unsigned bit = 1; bit < 32; bit *= 2) lowest = min(lowest, __shfl_xor_sync(0xffffffffu, lowest, bit));
  if (threadIdx.x == 0) {
    value[blockIdx.x] = block_largest;
    index[blockIdx.x] = lowest;
  }
}

extern "C" __global__ void dot_product(const float* a, const float* b, float* out, unsigned n) {
  float sum = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum = fmaf(a[i], b[i], sum);
  sum = block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// Stretches of four float4 a thread, by pointers; the partial sums are read past the first level of cache.
extern "C" __global__ void __launch_bounds__(warpwise::ch05::roof_threads)
    reduce_to_the_roof(const float* in, float* out, unsigned n, float* partials, unsigned* ticket) {
  const auto [head, quads, tail, in4] = parts_of(in, n);
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  if (thread < head) sum += in[thread];
  if (thread < n - tail) sum += in[tail + thread];
  constexpr unsigned block = warpwise::ch05::roof_threads;
  const float4 *p = in4 + blockIdx.x * 4 * block + threadIdx.x, *const last = in4 + quads;
  for (; last - p > 3 * block; p += gridDim.x * 4 * block) {
    const float4 a = p[0], b = p[block], c = p[2 * block], d = p[3 * block];
    sum += ((a.x + a.y) + (a.z + a.w)) + ((b.x + b.y) + (b.z + b.w));
    sum += ((c.x + c.y) + (c.z + c.w)) + ((d.x + d.y) + (d.z + d.w));
  }
  for (; p < last; p += block) {  // the one stretch of four that is not whole; then p is past the end
    const float4 a = *p;
    sum += (a.x + a.y) + (a.z + a.w);
    if (last - p <= block) break;
  }
  sum = block_sum(sum);
  __shared__ unsigned place;
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = sum;
    __threadfence();
    place = atomicAdd(ticket, 1u);
  }
  __syncthreads();
  if (place != gridDim.x - 1) return;
  __threadfence();
  if (threadIdx.x == 0) *ticket = 0;  // nobody else comes any more
  sum = 0.0f;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) sum += __ldcg(&partials[b]);
  sum = block_sum(sum);
  if (threadIdx.x == 0) *out = sum;
}
