// rejected by: column_sums: technique: shared wavefronts
// why: right, and without a conflict, because one lane alone adds up the tile, word by word

#include "../kernels.hpp"

extern "C" __global__ void column_sums(const float* in, float* out, unsigned columns) {
  __shared__ float tile[32][32];
  const unsigned lane = threadIdx.x;
  const unsigned first = 32 * blockIdx.x;

  for (unsigned c = 0; c < 32; ++c) {
    tile[c][lane] = first + c < columns ? in[32 * (first + c) + lane] : 0.0f;
  }
  __syncthreads();

  if (lane != 0) return;
  for (unsigned c = 0; c < 32 && first + c < columns; ++c) {
    float sum = 0.0f;
    for (unsigned r = 0; r < 32; ++r) sum += tile[c][r];
    out[first + c] = sum;
  }
}
