// rejected by: warp_reduce_max: result: n = 0, block = 32: out[0] is 0
// why: 0 is larger than every negative element; the identity of max is -infinity

#include "../kernels.hpp"

extern "C" __global__ void warp_reduce_max(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float largest = i < n ? in[i] : 0.0f;
  for (unsigned distance = 16; distance > 0; distance /= 2)
    largest = fmaxf(largest, __shfl_down_sync(0xffffffffu, largest, distance));
  if (threadIdx.x % 32 == 0) out[i / 32] = largest;
}
