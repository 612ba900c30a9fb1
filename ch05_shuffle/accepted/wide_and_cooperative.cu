// accepted: wide loads and cooperative groups: eight lanes load a float4 each and need three shuffles; some
// loops are unrolled by hand, and cooperative groups do the rest

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "../kernels.hpp"
#include "../operators.hpp"
#include "parts.cuh"
#include "roof_steps.cuh"

namespace cg = cooperative_groups;

__device__ auto this_warp() { return cg::tiled_partition<32>(cg::this_thread_block()); }

extern "C" __global__ void broadcast(const float* in, float* out, unsigned source) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = this_warp().shfl(in[i], source);
}

extern "C" __global__ void shift_up(const float* in, float* out, unsigned distance) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = this_warp().shfl_up(in[i], distance);
}

extern "C" __global__ void shift_down(const float* in, float* out, unsigned distance) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = this_warp().shfl_down(in[i], distance);
}

extern "C" __global__ void butterfly_sum(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = cg::reduce(this_warp(), in[i], cg::plus<float>());
}

/// Four values of type T.
template <class T>
struct alignas(16) Four {
  T x, y, z, w;
};

template <class Operator, class T>
__device__ void each_warp(const T* in, T* out, unsigned n) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned first = 32 * warp;
  if (first + 32 <= n) {  // the same for the whole warp
    T value = Operator::identity();
    if (lane < 8) {
      const Four<T> v = reinterpret_cast<const Four<T>*>(in + first)[lane];
      value = Operator::combine(Operator::combine(v.x, v.y), Operator::combine(v.z, v.w));
    }
    for (unsigned distance = 4; distance > 0; distance /= 2)
      value = Operator::combine(value, __shfl_down_sync(0xffffffffu, value, distance));
    if (lane == 0) out[warp] = value;
  } else {
    T value = first + lane < n ? in[first + lane] : Operator::identity();
    for (unsigned distance = 16; distance > 0; distance /= 2)
      value = Operator::combine(value, __shfl_down_sync(0xffffffffu, value, distance));
    if (lane == 0) out[warp] = value;
  }
}

#include "warp_kernels.cuh"

__device__ float block_sum(float value) {
  __shared__ float sums[32];
  const auto warp = this_warp();
  value = cg::reduce(warp, value, cg::plus<float>());
  if (warp.thread_rank() == 0) sums[warp.meta_group_rank()] = value;
  cg::this_thread_block().sync();
  if (warp.meta_group_rank() != 0) return 0.0f;
  value = warp.thread_rank() < warp.meta_group_size() ? sums[warp.thread_rank()] : 0.0f;
  return cg::reduce(warp, value, cg::plus<float>());
}

/// Four accumulators, each with a round of its own.
template <class Value>
__device__ float thread_sum(unsigned n, Value value) {
  const unsigned threads = gridDim.x * blockDim.x;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
  for (; i + 3 * threads < n; i += 4 * threads) {
    a += value(i);
    b += value(i + threads);
    c += value(i + 2 * threads);
    d += value(i + 3 * threads);
  }
  for (; i < n; i += threads) a += value(i);
  return (a + b) + (c + d);
}

#include "block_kernels.cuh"

__device__ bool beats(float value, unsigned i, float best, unsigned at) {
  return value > best || (value == best && i < at);
}

// Lanes from below, so that the result is in the last lane; the block's result by thread 0, warp by warp.
extern "C" __global__ void reduce_argmax(const float* in, float* value, unsigned* index, unsigned n) {
  __shared__ Best bests[32];
  float best = Max::identity();
  unsigned at = 0xffffffffu;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float x = in[i];
    if (beats(x, i, best, at)) best = x, at = i;
  }
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const float other = __shfl_up_sync(0xffffffffu, best, distance);
    const unsigned other_at = __shfl_up_sync(0xffffffffu, at, distance);
    if (beats(other, other_at, best, at)) best = other, at = other_at;
  }
  if (threadIdx.x % 32 == 31) bests[threadIdx.x / 32] = {best, at};
  __syncthreads();
  if (threadIdx.x != 0) return;
  Best all = bests[0];
  for (unsigned warp = 1; warp < blockDim.x / 32; ++warp)
    if (beats(bests[warp].value, bests[warp].index, all.value, all.index)) all = bests[warp];
  value[blockIdx.x] = all.value;
  index[blockIdx.x] = all.index;
}

// Each block takes one contiguous stretch of float4; the edges belong to block 0; a pair of accumulators.
extern "C" __global__ void __launch_bounds__(warpwise::ch05::roof_threads)
    reduce_to_the_roof(const float* in, float* out, unsigned n, float* partials, unsigned* ticket) {
  const auto [head, quads, tail, in4] = parts_of(in, n);
  const unsigned begin = static_cast<unsigned>(size_t{quads} * blockIdx.x / gridDim.x);
  const unsigned end = static_cast<unsigned>(size_t{quads} * (blockIdx.x + 1) / gridDim.x);
  const unsigned t = threadIdx.x;
  float even = 0.0f, odd = 0.0f;
  if (blockIdx.x == 0) {
    if (t < head) even += in[t];
    if (t < n - tail) odd += in[tail + t];
  }
  const float4 *p = in4 + begin + t, *const last = in4 + end;
  for (; p < last && last - p > 7 * 512; p += 8 * 512) {
    float4 v[8];
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) v[k] = __ldg(p + k * 512);
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) {
      even += v[k].x + v[k].z;
      odd += v[k].y + v[k].w;
    }
  }
  for (; p < last; p += 512) {
    even += p->x + p->z;
    odd += p->y + p->w;
  }
  float sum = block_sum(even + odd);
  __shared__ bool is_last;
  if (t == 0) {
    atomicExch(&partials[blockIdx.x], sum);  // an atomic store: no plain access to race with
    __threadfence();
    is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last) {
    sum = 0.0f;
    for (unsigned b = t; b < gridDim.x; b += 512) sum += partials[b];
    sum = block_sum(sum);
    if (t == 0) out[0] = sum;
  }
}
