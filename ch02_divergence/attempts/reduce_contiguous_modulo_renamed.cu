// rejected by: reduce_contiguous: technique: divergent branches
// why: right, but chapter 1 under another name: every warp has lanes at work and idle ones

#include "../kernels.hpp"

extern "C" __global__ void reduce_contiguous(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  partial[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    const bool is_left = (tid & (2 * stride - 1)) == 0;
    const unsigned left = tid;
    if (is_left) partial[left] += partial[left + stride];
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}
