// rejected by: reduce_first_add: technique: block barriers
// why: right, but the block makes a tree for each half: twice the barriers, and nothing is saved

#include "../kernels.hpp"

extern "C" __global__ void reduce_first_add(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  float sum = 0.0f;
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned i = (2 * blockIdx.x + half) * blockDim.x + tid;
    partial[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
      if (tid < stride) partial[tid] += partial[tid + stride];
      __syncthreads();
    }
    if (tid == 0) sum += partial[0];
  }

  if (tid == 0) out[blockIdx.x] = sum;
}
