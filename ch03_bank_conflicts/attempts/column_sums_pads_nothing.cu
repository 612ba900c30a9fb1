// rejected by: column_sums: technique: bank conflicts of a tile's loads
// why: the offset macro as it went around for years: + binds tighter than >>, so that it means n >>
// (LOG_BANKS + n) >> (2 * LOG_BANKS), which is 0, and nothing is padded. Meant was (n >> LOG_BANKS)

#include "../kernels.hpp"

#define LOG_BANKS 5
#define PADDING(n) ((n) >> LOG_BANKS + (n) >> (2 * LOG_BANKS))
#define PADDED(n) ((n) + PADDING(n))

extern "C" __global__ void column_sums(const float* in, float* out, unsigned columns) {
  __shared__ float tile[32 * 32 + 32];
  const unsigned lane = threadIdx.x;
  const unsigned first = 32 * blockIdx.x;

  for (unsigned c = 0; c < 32; ++c) {
    tile[PADDED(32 * c + lane)] = first + c < columns ? in[32 * (first + c) + lane] : 0.0f;
  }
  __syncthreads();

  float sum = 0.0f;
  for (unsigned r = 0; r < 32; ++r) sum += tile[PADDED(32 * lane + r)];
  if (first + lane < columns) out[first + lane] = sum;
}
