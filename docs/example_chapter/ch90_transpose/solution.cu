// An example of a chapter. README.md is the lesson; kernels.hpp says what its kernel must do.

#include "kernels.hpp"

/// out[c * rows + r] = in[r * columns + c]
extern "C" __global__ void transpose(const float* in, float* out, unsigned rows, unsigned columns) {
  // [transpose]
  __shared__ float tile[32][33];  // the 33rd word moves the next row on by one bank
  const unsigned column = 32 * blockIdx.x + threadIdx.x;
  for (unsigned y = threadIdx.y; y < 32; y += 8) {
    const unsigned row = 32 * blockIdx.y + y;
    if (row < rows && column < columns) tile[y][threadIdx.x] = in[row * columns + column];
  }
  __syncthreads();  // or a lane could read what another warp has not stored yet

  const unsigned row = 32 * blockIdx.y + threadIdx.x;  // neighbouring lanes, neighbouring rows
  for (unsigned x = threadIdx.y; x < 32; x += 8) {
    const unsigned of_column = 32 * blockIdx.x + x;
    if (row < rows && of_column < columns) out[of_column * rows + row] = tile[threadIdx.x][x];
  }
  // [/transpose]
}
