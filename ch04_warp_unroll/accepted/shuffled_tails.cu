// accepted: pointers instead of indices, a barrier before each step, and shuffles where they are allowed

#include "../kernels.hpp"

extern __shared__ float partial[];

__device__ float sum_of_warp(float value) {
  for (unsigned distance = 1; distance < 32; distance *= 2)
    value += __shfl_xor_sync(0xffffffffu, value, distance);
  return value;
}

__device__ float own_two(const float* in, const float* end, unsigned distance) {
  return (in < end ? *in : 0.0f) + (in + distance < end ? *(in + distance) : 0.0f);
}

extern "C" __global__ void warp_sum_step_condition(const float* in, float* out, unsigned n) {
  __shared__ float values[32];
  const unsigned i = 32 * blockIdx.x + threadIdx.x;
  float* const slot = values + threadIdx.x;
  *slot = i < n ? in[i] : 0.0f;
  for (unsigned stride = 16; stride > 0; stride /= 2) {
    __syncwarp();
    if (slot < values + stride) *slot += slot[stride];
  }
  if (slot == values) out[blockIdx.x] = *slot;
}

extern "C" __global__ void warp_sum_one_condition(const float* in, float* out, unsigned n) {
  __shared__ float values[32];
  const unsigned i = 32 * blockIdx.x + threadIdx.x;
  float* const slot = values + threadIdx.x;
  *slot = i < n ? in[i] : 0.0f;
  __syncwarp();
  if (threadIdx.x >= 16) return;
  for (unsigned stride = 16; stride > 0; stride /= 2) {
    const float other = slot[stride];
    __syncwarp(0xffffu);
    *slot += other;
    __syncwarp(0xffffu);
  }
  if (threadIdx.x == 0) out[blockIdx.x] = *slot;
}

extern "C" __global__ void warp_sum_padded(const float* in, float* out, unsigned n) {
  __shared__ float values[32 + 32];  // more zeros than are needed, and no condition to write them
  const unsigned i = 32 * blockIdx.x + threadIdx.x;
  float* const slot = values + threadIdx.x;
  slot[32] = 0.0f;
  *slot = i < n ? in[i] : 0.0f;
  for (unsigned stride = 16; stride > 0; stride /= 2) {
    __syncwarp();
    const float other = slot[stride];
    __syncwarp();
    *slot += other;
  }
  if (threadIdx.x == 0) out[blockIdx.x] = *slot;
}

extern "C" __global__ void reduce_unroll_last_warp(const float* in, float* out, unsigned n) {
  const unsigned tid = threadIdx.x;
  float sum = own_two(in + 2 * blockDim.x * blockIdx.x + tid, in + n, blockDim.x);
  partial[tid] = sum;
  for (unsigned stride = blockDim.x / 2; stride >= 32; stride /= 2) {
    __syncthreads();
    if (tid < stride) partial[tid] = sum = sum + partial[tid + stride];
  }
  if (tid < 32) sum = sum_of_warp(sum);
  if (tid == 0) out[blockIdx.x] = sum;
}

template <unsigned block>
__device__ void reduce_unrolled(const float* in, float* out, unsigned n) {
  const unsigned tid = threadIdx.x;
  float sum = own_two(in + 2 * block * blockIdx.x + tid, in + n, block);
  partial[tid] = sum;
#pragma unroll
  for (unsigned stride = block / 2; stride >= 32; stride /= 2) {
    __syncthreads();
    if (tid < stride) partial[tid] = sum = sum + partial[tid + stride];
  }
  if (tid < 32) sum = sum_of_warp(sum);
  if (tid == 0) out[blockIdx.x] = sum;
}

#include "unrolled_kernels.cuh"

extern "C" __global__ void block_sum_by_warps(const float* in, float* out, unsigned n) {
  float sum = 0.0f;
  for (const float* p = in + blockIdx.x * blockDim.x + threadIdx.x; p < in + n; p += gridDim.x * blockDim.x)
    sum += *p;
  sum = sum_of_warp(sum);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0.0f;
    sum = sum_of_warp(sum);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
  }
}
