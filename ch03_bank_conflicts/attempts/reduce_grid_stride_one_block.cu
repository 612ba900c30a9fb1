// rejected by: reduce_grid_stride: technique: blocks that take elements
// why: block 0 adds everything, and the others write 0: right, and one multiprocessor at work

#include "../kernels.hpp"

extern "C" __global__ void reduce_grid_stride(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  float sum = 0.0f;
  if (blockIdx.x == 0) {
    for (unsigned i = tid; i < n; i += blockDim.x) sum += in[i];
  }
  partial[tid] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}
