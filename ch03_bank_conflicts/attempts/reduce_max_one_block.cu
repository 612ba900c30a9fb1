// rejected by: reduce_max: technique: blocks that take elements
// why: block 0 looks at everything, and the others write -infinity: right, and one multiprocessor at work

#include "../kernels.hpp"

extern "C" __global__ void reduce_max(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  float largest = -INFINITY;
  if (blockIdx.x == 0) {
    for (unsigned i = tid; i < n; i += blockDim.x) largest = fmaxf(largest, in[i]);
  }
  partial[tid] = largest;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) partial[tid] = fmaxf(partial[tid], partial[tid + stride]);
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}
