// rejected by: reduce_grid_stride: result: n = 1, block = 32, grid = 1: the sum of out[] is 0
// why: the loop runs as often for every thread, n / threads times: the rest of the division is lost

#include "../kernels.hpp"

extern "C" __global__ void reduce_grid_stride(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned threads = gridDim.x * blockDim.x;
  const unsigned first = blockIdx.x * blockDim.x + tid;
  float sum = 0.0f;
  for (unsigned step = 0; step < n / threads; ++step) sum += in[step * threads + first];
  partial[tid] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}
