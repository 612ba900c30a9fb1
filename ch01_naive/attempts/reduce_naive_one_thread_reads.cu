// rejected by: reduce_naive: technique: load requests
// why: right, but one thread reads the whole input of its block, one element at a time

#include "../kernels.hpp"

extern "C" __global__ void reduce_naive(const float* in, float* out, unsigned n) {
  if (threadIdx.x != 0) return;
  float sum = 0.0f;
  for (unsigned k = 0; k < blockDim.x; ++k) {
    const unsigned i = blockIdx.x * blockDim.x + k;
    if (i < n) sum += in[i];
  }
  out[blockIdx.x] = sum;
}
