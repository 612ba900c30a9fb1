// rejected by: reduce_first_add: safety: out-of-bounds at 12
// why: the first element exists, so the second is taken for granted

#include "../kernels.hpp"

extern "C" __global__ void reduce_first_add(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * 2 * blockDim.x + tid;
  float sum = 0.0f;
  if (i < n) sum = in[i] + in[i + blockDim.x];
  partial[tid] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}
