// accepted: neighbouring threads do the additions, as in chapter 2

#include "../kernels.hpp"

extern "C" __global__ void reduce_naive(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned begin = blockIdx.x * blockDim.x;
  if (begin + tid < n) {
    partial[tid] = in[begin + tid];
  } else {
    partial[tid] = 0.0f;
  }
  __syncthreads();

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    const unsigned left = 2 * stride * tid;
    if (left < blockDim.x) partial[left] += partial[left + stride];
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}

extern "C" __global__ void sum_in_place(float* values) {
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    const unsigned i = 2 * stride * threadIdx.x;
    if (i < 2 * blockDim.x) values[i] += values[i + stride];
    __syncthreads();
  }
}
