// rejected by: column_sums: technique: bank conflicts of a tile's stores
// why: right, but a tile that is turned when it is stored has the conflicts there

#include "../kernels.hpp"

extern "C" __global__ void column_sums(const float* in, float* out, unsigned columns) {
  __shared__ float tile[32][32];
  const unsigned lane = threadIdx.x;
  const unsigned first = 32 * blockIdx.x;

  for (unsigned c = 0; c < 32; ++c) {
    tile[lane][c] = first + c < columns ? in[32 * (first + c) + lane] : 0.0f;
  }
  __syncthreads();

  float sum = 0.0f;
  for (unsigned r = 0; r < 32; ++r) sum += tile[r][lane];
  if (first + lane < columns) out[first + lane] = sum;
}
