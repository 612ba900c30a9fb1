// rejected by: reduce_sequential: technique: exchanges
// why: right, but no tree: one thread adds everything while all others wait

#include "../kernels.hpp"

extern "C" __global__ void reduce_sequential(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  partial[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  if (tid == 0) {
    float sum = 0.0f;
    for (unsigned k = 0; k < blockDim.x; ++k) sum += partial[k];
    out[blockIdx.x] = sum;
  }
}
