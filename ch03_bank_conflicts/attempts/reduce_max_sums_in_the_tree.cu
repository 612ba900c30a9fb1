// rejected by: reduce_max: result: n = 1, block = 32, grid = 1: the largest of out[] is -inf
// why: each thread finds its largest element, but the tree adds them up

#include "../kernels.hpp"

extern "C" __global__ void reduce_max(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  float largest = __int_as_float(0xff800000);
  for (unsigned i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x) {
    largest = fmaxf(largest, in[i]);
  }
  partial[tid] = largest;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}
