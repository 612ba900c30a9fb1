// rejected by: warp_reduce_bit_or: result: n = 64, block = 32: out[1]
// why: a bit that is set twice carries into the next when the words are added

#include "../kernels.hpp"

extern "C" __global__ void warp_reduce_bit_or(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned bits = i < n ? in[i] : 0u;
  for (unsigned distance = 16; distance > 0; distance /= 2)
    bits += __shfl_down_sync(0xffffffffu, bits, distance);
  if (threadIdx.x % 32 == 0) out[i / 32] = bits;
}
