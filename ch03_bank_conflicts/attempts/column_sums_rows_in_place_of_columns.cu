// rejected by: column_sums: result: columns = 1: out[0] is 11, expected 260
// why: adds up the elements with the same row: a line of `in` is a column of the matrix, not a row

#include "../kernels.hpp"

extern "C" __global__ void column_sums(const float* in, float* out, unsigned columns) {
  __shared__ float tile[32][33];
  const unsigned lane = threadIdx.x;
  const unsigned first = 32 * blockIdx.x;

  for (unsigned c = 0; c < 32; ++c) {
    tile[c][lane] = first + c < columns ? in[32 * (first + c) + lane] : 0.0f;
  }
  __syncthreads();

  float sum = 0.0f;
  for (unsigned r = 0; r < 32; ++r) sum += tile[r][lane];
  if (first + lane < columns) out[first + lane] = sum;
}
