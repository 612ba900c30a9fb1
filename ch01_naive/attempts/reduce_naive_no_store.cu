// rejected by: reduce_naive: result: out[0] was never written
// why: the tree leaves the sum in partial[0], and shared memory is gone when the block ends

#include "../kernels.hpp"

extern "C" __global__ void reduce_naive(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  partial[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0) partial[tid] += partial[tid + stride];
    __syncthreads();
  }

  // TODO store (1 line): one thread writes the block's sum to out[blockIdx.x].
}
