// rejected by: reduce_naive: safety: out-of-bounds at 11
// why: an array of fixed size serves only blocks of that size, whatever the launch gives as dynamic memory

#include "../kernels.hpp"

extern "C" __global__ void reduce_naive(const float* in, float* out, unsigned n) {
  __shared__ float partial[256];  // too few for a larger block

  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  partial[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0) partial[tid] += partial[tid + stride];
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}
