// rejected by: reduce_unroll_last_warp: result: n = 33, block = 32
// why: each thread takes one element of its two

#include "../kernels.hpp"

extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of a block

__device__ float element(const float* in, unsigned i, unsigned n) { return i < n ? in[i] : 0.0f; }

__device__ void sum_of_32(float* values, unsigned lane) {
  if (lane < 16) {
#pragma unroll
    for (unsigned stride = 16; stride > 0; stride /= 2) {
      const float sum = values[lane] + values[lane + stride];
      __syncwarp(0xffffu);
      values[lane] = sum;
      __syncwarp(0xffffu);
    }
  }
}

extern "C" __global__ void reduce_unroll_last_warp(const float* in, float* out, unsigned n) {
  const unsigned tid = threadIdx.x;
  partial[tid] = element(in, 2 * blockDim.x * blockIdx.x + tid, n);
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();
  }

  if (tid < 32) {
    if (blockDim.x > 32) {
      partial[tid] += partial[tid + 32];
      __syncwarp();
    }
    sum_of_32(partial, tid);
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}
