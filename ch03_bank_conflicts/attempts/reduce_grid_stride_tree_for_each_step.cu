// rejected by: reduce_grid_stride: technique: block barriers
// why: right, but the block makes a tree for each step of the loop, when one at the end would do

#include "../kernels.hpp"

extern "C" __global__ void reduce_grid_stride(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  float sum = 0.0f;
  for (unsigned first = blockIdx.x * blockDim.x; first < n; first += gridDim.x * blockDim.x) {
    partial[tid] = first + tid < n ? in[first + tid] : 0.0f;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
      if (tid < stride) partial[tid] += partial[tid + stride];
      __syncthreads();
    }
    if (tid == 0) sum += partial[0];
  }

  if (tid == 0) out[blockIdx.x] = sum;
}
