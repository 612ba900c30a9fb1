// rejected by: column_sums: technique: shuffles
// why: a butterfly of shuffles for each column: no tile, no shared memory, and 160 exchanges in place of 32 loads

#include "../kernels.hpp"

extern "C" __global__ void column_sums(const float* in, float* out, unsigned columns) {
  const unsigned lane = threadIdx.x;
  const unsigned first = 32 * blockIdx.x;

  float mine = 0.0f;
  for (unsigned c = 0; c < 32 && first + c < columns; ++c) {
    float sum = in[32 * (first + c) + lane];
    for (unsigned distance = 16; distance > 0; distance /= 2) {
      sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    }
    if (lane == c) mine = sum;
  }
  if (first + lane < columns) out[first + lane] = mine;
}
