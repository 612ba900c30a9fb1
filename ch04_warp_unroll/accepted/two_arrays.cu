// accepted: reads from one array and writes to another, so one warp barrier per step is enough; written out

#include "../kernels.hpp"

extern __shared__ float partial[];

__device__ float load_or_zero(const float* in, unsigned i, unsigned n) {
  if (i >= n) return 0.0f;
  return in[i];
}

/// One step of all lanes that call: to[lane] = from[lane] + from[lane + stride].
__device__ void step(float* to, const float* from, unsigned lane, unsigned stride, unsigned mask) {
  to[lane] = from[lane] + from[lane + stride];
  __syncwarp(mask);
}

extern "C" __global__ void warp_sum_step_condition(const float* in, float* out, unsigned n) {
  __shared__ float values[32];
  const unsigned lane = threadIdx.x;
  values[lane] = load_or_zero(in, 32 * blockIdx.x + lane, n);
  __syncwarp();
  if (lane < 16) values[lane] += values[lane + 16];
  __syncwarp();
  if (lane < 8) values[lane] += values[lane + 8];
  __syncwarp();
  if (lane < 4) values[lane] += values[lane + 4];
  __syncwarp();
  if (lane < 2) values[lane] += values[lane + 2];
  __syncwarp();
  if (lane < 1) out[blockIdx.x] = values[0] + values[1];
}

extern "C" __global__ void warp_sum_one_condition(const float* in, float* out, unsigned n) {
  __shared__ float a[32], b[32];
  const unsigned lane = threadIdx.x;
  a[lane] = load_or_zero(in, 32 * blockIdx.x + lane, n);
  b[lane] = 0.0f;  // the upper half is read in the second step and the fourth, and what it gives is garbage
  __syncwarp();
  if (lane < 16) {
    step(b, a, lane, 16, 0xffff);
    step(a, b, lane, 8, 0xffff);
    step(b, a, lane, 4, 0xffff);
    step(a, b, lane, 2, 0xffff);
    if (lane == 0) out[blockIdx.x] = a[0] + a[1];
  }
}

extern "C" __global__ void warp_sum_padded(const float* in, float* out, unsigned n) {
  __shared__ float a[48], b[48];
  const unsigned lane = threadIdx.x;
  a[lane + 16] = 0.0f;
  b[lane + 16] = 0.0f;
  __syncwarp();
  a[lane] = load_or_zero(in, 32 * blockIdx.x + lane, n);
  __syncwarp();
  step(b, a, lane, 16, 0xffffffff);
  step(a, b, lane, 8, 0xffffffff);
  step(b, a, lane, 4, 0xffffffff);
  step(a, b, lane, 2, 0xffffffff);
  step(b, a, lane, 1, 0xffffffff);
  if (lane == 0) out[blockIdx.x] = b[0];
}

/// The last six levels with a condition a step.
__device__ void last_levels(unsigned tid, unsigned block) {
  for (unsigned stride = min(32u, block / 2); stride > 0; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncwarp();
  }
}

extern "C" __global__ void reduce_unroll_last_warp(const float* in, float* out, unsigned n) {
  const unsigned tid = threadIdx.x, i = 2 * blockDim.x * blockIdx.x + tid;
  partial[tid] = load_or_zero(in, i, n) + load_or_zero(in, i + blockDim.x, n);
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride >= 64; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();
  }
  if (tid < 32) last_levels(tid, blockDim.x);
  if (tid == 0) out[blockIdx.x] = partial[0];
}

template <unsigned block>
__device__ void reduce_unrolled(const float* in, float* out, unsigned n) {
  const unsigned tid = threadIdx.x, i = 2 * block * blockIdx.x + tid;
  partial[tid] = load_or_zero(in, i, n) + load_or_zero(in, i + block, n);
  __syncthreads();
  if (block >= 1024) {
    if (tid < 512) partial[tid] += partial[tid + 512];
    __syncthreads();
  }
  if (block >= 512) {
    if (tid < 256) partial[tid] += partial[tid + 256];
    __syncthreads();
  }
  if (block >= 256) {
    if (tid < 128) partial[tid] += partial[tid + 128];
    __syncthreads();
  }
  if (block >= 128) {
    if (tid < 64) partial[tid] += partial[tid + 64];
    __syncthreads();
  }
  if (tid < 32) {
    if (block >= 64) partial[tid] += partial[tid + 32];
    __syncwarp();
    if (tid < 16) partial[tid] += partial[tid + 16];
    __syncwarp();
    if (tid < 8) partial[tid] += partial[tid + 8];
    __syncwarp();
    if (tid < 4) partial[tid] += partial[tid + 4];
    __syncwarp();
    if (tid < 2) partial[tid] += partial[tid + 2];
    __syncwarp();
    if (tid == 0) out[blockIdx.x] = partial[0] + partial[1];
  }
}

#include "unrolled_kernels.cuh"

extern "C" __global__ void block_sum_by_warps(const float* in, float* out, unsigned n) {
  __shared__ float warp_sums[32];
  const unsigned tid = threadIdx.x, lane = tid % 32, warps = blockDim.x / 32;
  float sum = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  partial[tid] = sum;
  for (unsigned stride = 16; stride > 0; stride /= 2) {
    __syncwarp();
    if (lane < stride) partial[tid] += partial[tid + stride];
  }
  if (lane == 0) warp_sums[tid / 32] = partial[tid];
  __syncthreads();
  // As many sums as there are warps, and no more: a tree over a power of two.
  if (tid < 32) {
    for (unsigned stride = warps / 2; stride > 0; stride /= 2) {
      if (tid < stride) warp_sums[tid] += warp_sums[tid + stride];
      __syncwarp();
    }
  }
  if (tid == 0) out[blockIdx.x] = warp_sums[0];
}
