// rejected by: column_sums: safety: out-of-bounds at 11
// why: the last block reads columns that do not exist

#include "../kernels.hpp"

extern "C" __global__ void column_sums(const float* in, float* out, unsigned columns) {
  __shared__ float tile[32][33];
  const unsigned lane = threadIdx.x;
  const unsigned first = 32 * blockIdx.x;

  for (unsigned c = 0; c < 32; ++c) tile[c][lane] = in[32 * (first + c) + lane];
  __syncthreads();

  float sum = 0.0f;
  for (unsigned r = 0; r < 32; ++r) sum += tile[lane][r];
  if (first + lane < columns) out[first + lane] = sum;
}
