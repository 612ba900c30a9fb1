// rejected by: warp_reduce_and: result: n = 31, block = 32: out[0] is 0
// why: 2 and 4 are both true, but 2 & 4 is 0

#include "../kernels.hpp"

extern "C" __global__ void warp_reduce_and(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned all = i < n ? in[i] : 1;
  for (unsigned distance = 16; distance > 0; distance /= 2)
    all &= __shfl_down_sync(0xffffffffu, all, distance);
  if (threadIdx.x % 32 == 0) out[i / 32] = all;
}
