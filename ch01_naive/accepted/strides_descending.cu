// accepted: the partner is half the data away, then a quarter, then an eighth: PMPP 4th ed., fig. 10.9

#include "../kernels.hpp"

extern "C" __global__ void reduce_naive(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  partial[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}

extern "C" __global__ void sum_in_place(float* values) {
  const unsigned i = threadIdx.x;
  for (unsigned stride = blockDim.x; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) values[i] += values[i + stride];
    __syncthreads();
  }
}
