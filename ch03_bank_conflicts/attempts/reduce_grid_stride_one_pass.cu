// rejected by: reduce_grid_stride: result: n = 33, block = 32, grid = 1
// why: without the loop, a grid that is smaller than the input leaves the rest out

#include "../kernels.hpp"

extern "C" __global__ void reduce_grid_stride(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  float sum = 0.0f;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  if (i < n) sum = in[i];
  partial[tid] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}
