// rejected by: sum_in_place: technique: exchanges
// why: right, but no tree: one thread adds everything while all others wait

#include "../kernels.hpp"

extern "C" __global__ void sum_in_place(float* values) {
  if (threadIdx.x != 0) return;
  float sum = 0.0f;
  for (unsigned k = 0; k < 2 * blockDim.x; ++k) sum += values[k];
  values[0] = sum;
}
