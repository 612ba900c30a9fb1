// accepted: each thread keeps its sum in a register and stores it for its partner

#include "../kernels.hpp"

extern "C" __global__ void reduce_naive(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];

  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  float sum = 0.0f;
  if (i < n) sum = in[i];
  partial[tid] = sum;
  __syncthreads();

  for (unsigned stride = 1; stride < blockDim.x; stride <<= 1) {
    if ((tid & (2 * stride - 1)) == 0) {
      sum += partial[tid + stride];
      partial[tid] = sum;
    }
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = sum;
}

extern "C" __global__ void sum_in_place(float* values) {
  const unsigned t = threadIdx.x;
  float* mine = values + 2 * t;
  float sum = *mine;
  for (unsigned stride = 1; stride <= blockDim.x; stride <<= 1) {
    if ((t & (stride - 1)) == 0) {
      sum += mine[stride];
      *mine = sum;
    }
    __syncthreads();
  }
}
