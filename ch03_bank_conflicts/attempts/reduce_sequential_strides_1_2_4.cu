// rejected by: reduce_sequential: technique: bank conflicts
// why: right, and the kernel of chapter 2: the words that a warp uses are 2, 4, 8 ... apart and share banks

#include "../kernels.hpp"

extern "C" __global__ void reduce_sequential(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  partial[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    const unsigned left = 2 * stride * tid;
    if (left < blockDim.x) partial[left] += partial[left + stride];
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}
