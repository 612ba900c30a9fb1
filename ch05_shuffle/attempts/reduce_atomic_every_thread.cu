// rejected by: reduce_atomic: technique: atomic operations a block: 256
// why: right, but every thread adds to the total: 256 additions a block that wait for each other

#include "../kernels.hpp"

extern "C" __global__ void reduce_atomic(const float* in, float* total, unsigned n) {
  float sum = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  atomicAdd(total, sum);
}
