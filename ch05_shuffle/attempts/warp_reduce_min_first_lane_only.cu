// rejected by: warp_reduce_min: result: n = 31, block = 32: out[0]
// why: every lane compares with its own element, not with what it has found so far

#include "../kernels.hpp"

extern "C" __global__ void warp_reduce_min(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float own = i < n ? in[i] : __int_as_float(0x7f800000);
  float smallest = own;
  for (unsigned distance = 16; distance > 0; distance /= 2)
    smallest = fminf(own, __shfl_down_sync(0xffffffffu, smallest, distance));
  if (threadIdx.x % 32 == 0) out[i / 32] = smallest;
}
