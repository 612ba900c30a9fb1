// rejected by: column_sums: technique: bank conflicts of a tile's loads
// why: lines of 64 words begin in the same bank as lines of 32: the padding must not be a multiple of 32

#include "../kernels.hpp"

extern "C" __global__ void column_sums(const float* in, float* out, unsigned columns) {
  __shared__ float tile[32][64];
  const unsigned lane = threadIdx.x;
  const unsigned first = 32 * blockIdx.x;

  for (unsigned c = 0; c < 32; ++c) {
    tile[c][lane] = first + c < columns ? in[32 * (first + c) + lane] : 0.0f;
  }
  __syncthreads();

  float sum = 0.0f;
  for (unsigned r = 0; r < 32; ++r) sum += tile[lane][r];
  if (first + lane < columns) out[first + lane] = sum;
}
