// accepted: each lane keeps its sum in a register and stores it for the others; the levels by recursion

#include "../kernels.hpp"

extern __shared__ float partial[];

__device__ float one(const float* in, unsigned n) {
  const unsigned i = 32 * blockIdx.x + threadIdx.x;
  return i < n ? in[i] : 0.0f;
}

__device__ float two(const float* in, unsigned n, unsigned block) {
  const unsigned i = 2 * block * blockIdx.x + threadIdx.x;
  float sum = 0.0f;
  if (i < n) sum = in[i];
  if (i + block < n) sum += in[i + block];
  return sum;
}

/// The sum of 32 values, of which this lane holds `sum` and has stored it in values[lane]; in lane 0.
__device__ float sum_by_16(float* values, unsigned lane, float sum) {
  if (lane >= 16) return sum;
#pragma unroll
  for (unsigned stride = 16; stride > 0; stride /= 2) {
    sum += values[lane + stride];
    if (stride == 1) break;  // the last sum need not be stored: nobody reads it
    __syncwarp(0xffffu);
    values[lane] = sum;
    __syncwarp(0xffffu);
  }
  return sum;
}

extern "C" __global__ void warp_sum_step_condition(const float* in, float* out, unsigned n) {
  __shared__ float values[32];
  const unsigned lane = threadIdx.x;
  float sum = values[lane] = one(in, n);
  __syncwarp();
  for (unsigned stride = 16; stride > 0; stride >>= 1) {
    if (lane < stride) {
      sum += values[lane + stride];
      values[lane] = sum;
    }
    __syncwarp();
  }
  if (lane == 0) out[blockIdx.x] = sum;
}

extern "C" __global__ void warp_sum_one_condition(const float* in, float* out, unsigned n) {
  __shared__ float values[32];
  const unsigned lane = threadIdx.x;
  float sum = values[lane] = one(in, n);
  __syncwarp();
  sum = sum_by_16(values, lane, sum);
  if (lane == 0) out[blockIdx.x] = sum;
}

extern "C" __global__ void warp_sum_padded(const float* in, float* out, unsigned n) {
  __shared__ float values[48];
  const unsigned lane = threadIdx.x;
  values[lane + 16] = 0.0f;  // slots 16 to 47; the first 16 of them are about to get values
  __syncwarp();
  float sum = values[lane] = one(in, n);
  __syncwarp();
  for (unsigned stride = 16; stride > 0; stride /= 2) {
    sum += values[lane + stride];
    __syncwarp();
    values[lane] = sum;
    __syncwarp();
  }
  if (lane == 0) out[blockIdx.x] = sum;
}

extern "C" __global__ void reduce_unroll_last_warp(const float* in, float* out, unsigned n) {
  const unsigned tid = threadIdx.x;
  float sum = two(in, n, blockDim.x);
  partial[tid] = sum;
  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
    __syncthreads();  // at the head of a level
    if (tid < stride) partial[tid] = sum = sum + partial[tid + stride];
  }
  if (blockDim.x > 32) __syncthreads();
  if (tid >= 32) return;
  if (blockDim.x > 32) {
    sum += partial[tid + 32];
    partial[tid] = sum;
  }
  __syncwarp();
  sum = sum_by_16(partial, tid, sum);
  if (tid == 0) out[blockIdx.x] = sum;
}

/// The levels with `width` additions and fewer, down to 64.
template <unsigned width>
__device__ float block_levels(float sum) {
  if constexpr (width > 32) {
    if (threadIdx.x < width) partial[threadIdx.x] = sum = sum + partial[threadIdx.x + width];
    __syncthreads();
    return block_levels<width / 2>(sum);
  }
  return sum;
}

template <unsigned block>
__device__ void reduce_unrolled(const float* in, float* out, unsigned n) {
  float sum = two(in, n, block);
  partial[threadIdx.x] = sum;
  __syncthreads();
  sum = block_levels<block / 2>(sum);
  if (threadIdx.x >= 32) return;
  if (block >= 64) {
    sum += partial[threadIdx.x + 32];
    partial[threadIdx.x] = sum;
    __syncwarp();
  }
  sum = sum_by_16(partial, threadIdx.x, sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

#include "unrolled_kernels.cuh"

extern "C" __global__ void block_sum_by_warps(const float* in, float* out, unsigned n) {
  __shared__ float warp_sums[32];
  const unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
  if (tid < 32) warp_sums[tid] = 0.0f;
  float sum = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  partial[tid] = sum;
  __syncthreads();
  sum = sum_by_16(partial + 32 * warp, lane, sum);
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = sum_by_16(warp_sums, lane, warp_sums[lane]);
    if (lane == 0) out[blockIdx.x] = sum;
  }
}
