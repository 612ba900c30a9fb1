// rejected by: column_sums: safety: race at 17
// why: a lane reads what other lanes have stored, and nothing orders the two: lanes of a warp are threads as
// well

#include "../kernels.hpp"

extern "C" __global__ void column_sums(const float* in, float* out, unsigned columns) {
  __shared__ float tile[32][33];
  const unsigned lane = threadIdx.x;
  const unsigned first = 32 * blockIdx.x;

  for (unsigned c = 0; c < 32; ++c) {
    tile[c][lane] = first + c < columns ? in[32 * (first + c) + lane] : 0.0f;
  }

  float sum = 0.0f;
  for (unsigned r = 0; r < 32; ++r) sum += tile[lane][r];
  if (first + lane < columns) out[first + lane] = sum;
}
