// rejected by: alternate_by_warp: result: n = 31
// why: the condition is aligned to the warp, the elements are not: each warp still has even and odd ones

#include "../kernels.hpp"
#include "../operations.hpp"

using warpwise::ch02::shake;
using warpwise::ch02::stir;

extern "C" __global__ void alternate_by_warp(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned is_odd = threadIdx.x / 32 % 2;
  if (i < n) out[i] = is_odd ? shake(in[i]) : stir(in[i]);
}
