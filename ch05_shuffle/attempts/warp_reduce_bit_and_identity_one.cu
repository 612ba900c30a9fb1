// rejected by: warp_reduce_bit_and: result: n = 0, block = 32: out[0] is 1
// why: 1 is true, but it has one bit: the identity of the bitwise and is all ones

#include "../kernels.hpp"

extern "C" __global__ void warp_reduce_bit_and(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned bits = i < n ? in[i] : 1u;
  for (unsigned distance = 16; distance > 0; distance /= 2)
    bits &= __shfl_down_sync(0xffffffffu, bits, distance);
  if (threadIdx.x % 32 == 0) out[i / 32] = bits;
}
