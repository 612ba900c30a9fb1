// rejected by: alternate_by_warp: safety: out-of-bounds at 13
// why: threads without an element read and write behind the arrays

#include "../kernels.hpp"
#include "../operations.hpp"

using warpwise::ch02::shake;
using warpwise::ch02::stir;

extern "C" __global__ void alternate_by_warp(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned is_odd = threadIdx.x / 32 % 2;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x / 64 * 64 + 2 * (threadIdx.x % 32) + is_odd;
  out[i] = is_odd ? shake(in[i]) : stir(in[i]);
}
