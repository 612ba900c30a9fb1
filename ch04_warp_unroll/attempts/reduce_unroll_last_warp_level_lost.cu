// rejected by: reduce_unroll_last_warp: result: n = 33, block = 64
// why: the loop ends before stride 32, and the last warp starts behind it

#include "../kernels.hpp"

extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of a block

__device__ float element(const float* in, unsigned i, unsigned n) { return i < n ? in[i] : 0.0f; }

__device__ float two_elements(const float* in, unsigned n, unsigned block) {
  const unsigned i = 2 * block * blockIdx.x + threadIdx.x;
  return element(in, i, n) + element(in, i + block, n);
}

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
  partial[tid] = two_elements(in, n, blockDim.x);
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();
  }

  if (tid < 32) sum_of_32(partial, tid);

  if (tid == 0) out[blockIdx.x] = partial[0];
}
