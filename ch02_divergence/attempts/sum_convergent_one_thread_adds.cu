// rejected by: sum_convergent: technique: exchanges
// why: right, and diverges once, but is no tree: one thread adds everything

#include "../kernels.hpp"

extern "C" __global__ void sum_convergent(float* values) {
  if (threadIdx.x != 0) return;
  float sum = 0.0f;
  for (unsigned k = 0; k < 2 * blockDim.x; ++k) sum += values[k];
  values[0] = sum;
}
