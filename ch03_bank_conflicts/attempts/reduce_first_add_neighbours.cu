// rejected by: reduce_first_add: technique: global load sectors
// why: right, but a thread adds elements 2t and 2t + 1: each of its two loads takes every other element, and
// both touch all sectors

#include "../kernels.hpp"

extern "C" __global__ void reduce_first_add(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * 2 * blockDim.x + 2 * tid;
  float sum = i < n ? in[i] : 0.0f;
  if (i + 1 < n) sum += in[i + 1];
  partial[tid] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}
