// accepted: the barrier comes first in each level; after the last one, only the thread that wrote reads

#include "../kernels.hpp"

extern "C" __global__ void reduce_naive(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  partial[tid] = i < n ? in[i] : 0.0f;

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    if (tid % (2 * stride) == 0) partial[tid] += partial[tid + stride];
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}

extern "C" __global__ void sum_in_place(float* values) {
  const unsigned i = 2 * threadIdx.x;
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    __syncthreads();
    if (threadIdx.x % stride == 0) values[i] += values[i + stride];
  }
}
