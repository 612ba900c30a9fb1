// rejected by: reduce_contiguous: safety: race at 17
// why: no branch, but threads that add nothing write back what they read, while others add to that place

#include "../kernels.hpp"

extern "C" __global__ void reduce_contiguous(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  partial[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    const unsigned left = 2 * stride * tid % blockDim.x;
    const float factor = 2 * stride * tid < blockDim.x ? 1.0f : 0.0f;
    partial[left] += factor * partial[left + stride];
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}
