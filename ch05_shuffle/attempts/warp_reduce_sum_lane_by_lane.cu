// rejected by: warp_reduce_sum: technique: shuffles a warp: 31
// why: right, but no tree: 31 shuffles, one for each other lane

#include "../kernels.hpp"

extern "C" __global__ void warp_reduce_sum(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float own = i < n ? in[i] : 0.0f;
  float sum = own;
  for (unsigned lane = 1; lane < 32; ++lane) sum += __shfl_sync(0xffffffffu, own, lane);
  if (threadIdx.x % 32 == 0) out[i / 32] = sum;
}
