// accepted: sums in registers, stored for the partner; ranks from a scan; no slot is processed in place

#include "../kernels.hpp"
#include "../operations.hpp"

using warpwise::ch02::shake;
using warpwise::ch02::stir;

extern "C" __global__ void reduce_contiguous(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];

  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  partial[tid] = 0.0f;
  if (i < n) partial[tid] = in[i];

  unsigned pairs = blockDim.x;
  for (unsigned stride = 1; stride < blockDim.x; stride <<= 1) {
    pairs >>= 1;
    __syncthreads();
    if (tid >= pairs) continue;
    const unsigned left = (2 * tid) * stride;
    const float sum = partial[left] + partial[left + stride];
    partial[left] = sum;
    if (pairs == 1) out[blockIdx.x] = sum;
  }
}

extern "C" __global__ void alternate_by_warp(const unsigned* in, unsigned* out, unsigned n) {
  // Even warps of the block first, then odd ones, each with every second element of a tile of 64.
  const unsigned warps = blockDim.x / 32;
  const unsigned warp = threadIdx.x / 32;
  const bool is_odd = warp >= warps / 2;
  const unsigned tile = is_odd ? warp - warps / 2 : warp;
  const unsigned i = blockIdx.x * blockDim.x + 64 * tile + 2 * (threadIdx.x % 32) + is_odd;
  if (i < n) {
    unsigned x = in[i];
    if (is_odd)
      x = shake(x);
    else
      x = stir(x);
    out[i] = x;
  }
}

extern "C" __global__ void score_matches(const int* home_goals, const int* away_goals, int* home_points,
                                         int* away_points, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int sign = max(-1, min(1, home_goals[i] - away_goals[i]));
    home_points[i] += max(1 + 2 * sign, 0);  // 3, 1, -1 -> 0
    away_points[i] += max(1 - 2 * sign, 0);
  }
}

extern "C" __global__ void partition_by_sign(const int* in, unsigned* out, unsigned n) {
  extern __shared__ unsigned shared[];
  const unsigned tid = threadIdx.x;
  const unsigned block = blockDim.x;
  const unsigned begin = blockIdx.x * block;
  const int value = begin + tid < n ? in[begin + tid] : -1;

  // An inclusive scan of the flags: strides 1, 2, 4 ..., between two buffers.
  unsigned* from = shared;
  unsigned* to = shared + block;
  from[tid] = value >= 0 ? 1 : 0;
  __syncthreads();
  for (unsigned stride = 1; stride < block; stride *= 2) {
    const unsigned partner = max(tid, stride) - stride;
    to[tid] = from[tid] + (tid >= stride ? 1 : 0) * from[partner];
    unsigned* const swapped = from;
    from = to;
    to = swapped;
    __syncthreads();
  }
  const unsigned through = from[tid];
  const unsigned front = from[block - 1];
  __syncthreads();

  const unsigned boundary = 32 * ((front + 31) / 32);
  for (unsigned slot = tid; slot < block + 32; slot += block) shared[slot] = 0;
  __syncthreads();
  shared[value >= 0 ? through - 1 : boundary + tid - through] = value;
  __syncthreads();

  unsigned results[2] = {0, 0};
  for (unsigned part = 0; part < 2; ++part) {
    const unsigned slot = part * block + tid;
    if (slot < block + 32) results[part] = slot < boundary ? stir(shared[slot]) : shake(shared[slot]);
  }
  __syncthreads();
  for (unsigned part = 0; part < 2; ++part) {
    const unsigned slot = part * block + tid;
    if (slot < block + 32) shared[slot] = results[part];
  }
  __syncthreads();

  if (begin + tid < n) out[begin + tid] = shared[tid < front ? tid : tid - front + boundary];
}

extern "C" __global__ void sum_convergent(float* values) {
  const unsigned tid = threadIdx.x;
  float sum = values[tid];
  for (unsigned stride = blockDim.x; stride != 0; stride /= 2) {
    if (tid < stride) {
      sum += values[tid + stride];
      values[tid] = sum;
    }
    __syncthreads();
  }
}

extern "C" __global__ void sum_convergent_mirrored(float* values) {
  const unsigned i = 2 * blockDim.x - 1 - threadIdx.x;
  float sum = values[i];
  for (unsigned stride = blockDim.x; stride != 0; stride /= 2) {
    if (threadIdx.x < stride) {
      sum += values[i - stride];
      values[i] = sum;
    }
    __syncthreads();
  }
}
