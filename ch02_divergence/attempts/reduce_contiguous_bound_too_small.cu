// rejected by: reduce_contiguous: result: n = 31, block = 32
// why: the pairs of the right half of the block are never added

#include "../kernels.hpp"

extern "C" __global__ void reduce_contiguous(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  partial[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    const unsigned left = 2 * stride * tid;
    if (left < blockDim.x / 2) partial[left] += partial[left + stride];
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}
