// rejected by: reduce_shuffle: technique: shuffles a warp
// why: right, but every round of the loop is followed by five shuffles: add first, shuffle once

#include "../kernels.hpp"

extern "C" __global__ void reduce_shuffle(const float* in, float* out, unsigned n) {
  __shared__ float warp_sums[32];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  float total = 0.0f;
  for (unsigned i = first; i - lane < n; i += gridDim.x * blockDim.x) {
    float value = i < n ? in[i] : 0.0f;
    for (unsigned distance = 16; distance > 0; distance /= 2)
      value += __shfl_xor_sync(0xffffffffu, value, distance);
    total += value;
  }
  if (lane == 0) warp_sums[warp] = total;
  __syncthreads();
  if (warp == 0) {
    total = lane < blockDim.x / 32 ? warp_sums[lane] : 0.0f;
    for (unsigned distance = 16; distance > 0; distance /= 2)
      total += __shfl_xor_sync(0xffffffffu, total, distance);
    if (lane == 0) out[blockIdx.x] = total;
  }
}
