// rejected by: reduce_unroll_last_warp: result: n = 31, block = 32
// why: nothing says that other lanes read or write here, so the compiler keeps the sums in registers

#include "../kernels.hpp"

extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of a block

__device__ float element(const float* in, unsigned i, unsigned n) { return i < n ? in[i] : 0.0f; }

__device__ float two_elements(const float* in, unsigned n, unsigned block) {
  const unsigned i = 2 * block * blockIdx.x + threadIdx.x;
  return element(in, i, n) + element(in, i + block, n);
}

extern "C" __global__ void reduce_unroll_last_warp(const float* in, float* out, unsigned n) {
  const unsigned tid = threadIdx.x;
  partial[tid] = two_elements(in, n, blockDim.x);
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();
  }

  if (tid < 32) {
    float* tail = partial;
    if (blockDim.x > 32) tail[tid] += tail[tid + 32];
    if (tid < 16) {
      tail[tid] += tail[tid + 16];
      tail[tid] += tail[tid + 8];
      tail[tid] += tail[tid + 4];
      tail[tid] += tail[tid + 2];
      tail[tid] += tail[tid + 1];
    }
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}
