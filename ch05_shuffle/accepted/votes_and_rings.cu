// accepted: votes for the logical operators, a ring of lanes for the others; thread 0 adds up the warps' sums
// one by one

#include "../kernels.hpp"
#include "../operators.hpp"
#include "parts.cuh"
#include "roof_steps.cuh"

__device__ unsigned lane_of() { return threadIdx.x & 31; }

extern "C" __global__ void broadcast(const float* in, float* out, unsigned source) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float own = in[i];
  const float theirs = __shfl_sync(0xffffffffu, own, static_cast<int>(source), 32);
  out[i] = theirs;
}

extern "C" __global__ void shift_up(const float* in, float* out, unsigned distance) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float own = in[i];
  const float around = __shfl_sync(0xffffffffu, own, lane_of() - distance);
  out[i] = lane_of() >= distance ? around : own;
}

extern "C" __global__ void shift_down(const float* in, float* out, unsigned distance) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float own = in[i];
  const float around = __shfl_sync(0xffffffffu, own, lane_of() + distance);
  out[i] = lane_of() + distance < 32 ? around : own;
}

template <class Operator, class T>
__device__ T ring(T value) {
  // Each lane takes in the stretch of lanes behind its own: 1, 2, 4, 8, 16 lanes long; past 31 comes 0.
  for (unsigned reach = 1; reach < 32; reach *= 2)
    value = Operator::combine(value, __shfl_sync(0xffffffffu, value, lane_of() + reach));
  return value;
}

extern "C" __global__ void butterfly_sum(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = ring<Sum>(in[i]);
}

template <class Operator, class T>
__device__ void each_warp(const T* in, T* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const T result = ring<Operator>(i < n ? in[i] : Operator::identity());
  if (lane_of() == 0) out[i / 32] = result;
}

template <>
__device__ void each_warp<LogicalAnd>(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int all = __all_sync(0xffffffffu, i >= n || in[i] != 0);
  if (lane_of() == 0) out[i / 32] = all != 0;
}
template <>
__device__ void each_warp<LogicalOr>(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned who = __ballot_sync(0xffffffffu, i < n && in[i] != 0);
  if (lane_of() == 0) out[i / 32] = who != 0;
}

#include "warp_kernels.cuh"

__device__ float block_sum(float value) {
  __shared__ float sums[32];
  value = ring<Sum>(value);
  if (lane_of() == 0) sums[threadIdx.x / 32] = value;
  __syncthreads();
  float sum = 0.0f;
  if (threadIdx.x == 0)
    for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) sum += sums[warp];
  return sum;
}

template <class Value>
__device__ float thread_sum(unsigned n, Value value) {
  float sum = 0.0f;
  for (unsigned base = blockIdx.x * blockDim.x; base < n; base += gridDim.x * blockDim.x)
    if (base + threadIdx.x < n) sum += value(base + threadIdx.x);
  return sum;
}

#include "block_kernels.cuh"

// Value and index as one 64-bit key whose order is that of argmax: the value's bits made monotonic, above the
// complement of the index. 0 is the identity: no number has that key.
__device__ unsigned long long key_of(float value, unsigned i) {
  if (isnan(value)) return 0;
  if (value == 0.0f) value = 0.0f;  // -0 equals 0
  const unsigned bits = __float_as_uint(value);
  const unsigned ordered = bits >> 31 ? ~bits : bits | 0x80000000u;
  return static_cast<unsigned long long>(ordered) << 32 | ~i;
}

extern "C" __global__ void reduce_argmax(const float* in, float* value, unsigned* index, unsigned n) {
  __shared__ unsigned long long keys[32];
  unsigned long long key = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    key = max(key, key_of(in[i], i));
  for (unsigned distance = 16; distance > 0; distance /= 2)
    key = max(key, __shfl_down_sync(0xffffffffu, key, distance));
  if (lane_of() == 0) keys[threadIdx.x / 32] = key;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned warp = 1; warp < blockDim.x / 32; ++warp) key = max(key, keys[warp]);
  const unsigned ordered = static_cast<unsigned>(key >> 32);
  value[blockIdx.x] =
      key == 0 ? Max::identity() : __uint_as_float(ordered >> 31 ? ordered ^ 0x80000000u : ~ordered);
  index[blockIdx.x] = key == 0 ? 0xffffffffu : ~static_cast<unsigned>(key);
}

// Whole tiles of 8 float4 a thread; what is left, 4 bytes at a time.
extern "C" __global__ void __launch_bounds__(warpwise::ch05::roof_threads)
    reduce_to_the_roof(const float* in, float* out, unsigned n, float* partials, unsigned* ticket) {
  const auto [head, quads, tail, in4] = parts_of(in, n);
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned threads = gridDim.x * blockDim.x;
  constexpr unsigned many = 8;
  constexpr unsigned block = warpwise::ch05::roof_threads;
  constexpr unsigned tile = many * block;
  const unsigned whole = quads / tile;
  float sum = 0.0f;
  for (unsigned t = blockIdx.x; t < whole; t += gridDim.x) {
    const float4* const p = in4 + size_t{t} * tile + threadIdx.x;
    float4 v[many];
    for (unsigned k = 0; k < many; ++k) v[k] = p[k * block];
    for (unsigned k = 0; k < many; ++k) sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
  }
  if (thread < head) sum += in[thread];
  for (unsigned i = whole * tile + thread; i < quads; i += threads)
    sum += (in4[i].x + in4[i].y) + (in4[i].z + in4[i].w);
  if (thread < n - tail) sum += in[tail + thread];
  sum = block_sum(sum);
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    *const_cast<volatile float*>(partials + blockIdx.x) = sum;
    __threadfence();
    is_last = atomicInc(ticket, gridDim.x - 1) + 1 == gridDim.x;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    __threadfence();
    float all = 0.0f;
    for (unsigned b = 0; b < gridDim.x; ++b) all += static_cast<volatile float*>(partials)[b];
    *out = all;
  }
}
