// rejected by: alternate_by_warp: technique: runs of stir or shake
// why: right and without a branch, but every lane pays for both operations and throws one result away

#include "../kernels.hpp"
#include "../operations.hpp"

using warpwise::ch02::shake;
using warpwise::ch02::stir;

extern "C" __global__ void alternate_by_warp(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const unsigned is_odd = i % 2;
    out[i] = (1 - is_odd) * stir(in[i]) + is_odd * shake(in[i]);
  }
}
