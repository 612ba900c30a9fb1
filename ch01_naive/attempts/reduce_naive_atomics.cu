// rejected by: reduce_naive: technique: atomic
// why: right on integers, but no tree: every thread adds to the same word, one after the other

#include "../kernels.hpp"

extern "C" __global__ void reduce_naive(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];

  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  if (tid == 0) partial[0] = 0.0f;
  __syncthreads();
  if (i < n) atomicAdd(&partial[0], in[i]);
  __syncthreads();

  if (tid == 0) out[blockIdx.x] = partial[0];
}
