// rejected by: column_sums: technique: global load sectors
// why: right, but without the tile each load of a warp touches 32 columns, and so 32 sectors

#include "../kernels.hpp"

extern "C" __global__ void column_sums(const float* in, float* out, unsigned columns) {
  const unsigned column = 32 * blockIdx.x + threadIdx.x;
  if (column >= columns) return;
  float sum = 0.0f;
  for (unsigned r = 0; r < 32; ++r) sum += in[32 * column + r];
  out[column] = sum;
}
