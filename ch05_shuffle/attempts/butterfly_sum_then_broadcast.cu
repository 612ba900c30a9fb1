// rejected by: butterfly_sum: technique: shuffles a warp: 6
// why: right, but with a sixth shuffle: the butterfly needs no broadcast

#include "../kernels.hpp"

__device__ float warp_sum(float value) {
  for (unsigned distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

extern "C" __global__ void butterfly_sum(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __shfl_sync(0xffffffffu, warp_sum(in[i]), 0);
}
