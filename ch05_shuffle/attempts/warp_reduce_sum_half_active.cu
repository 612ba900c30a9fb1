// rejected by: warp_reduce_sum: safety: sync at 12
// why: the mask names all 32 lanes, but those at or past n never come

#include "../kernels.hpp"

extern "C" __global__ void warp_reduce_sum(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  if (i < n) {
    sum = in[i];
    for (unsigned distance = 16; distance > 0; distance /= 2)
      sum += __shfl_down_sync(0xffffffffu, sum, distance);
  }
  if (threadIdx.x % 32 == 0) out[i / 32] = sum;
}
