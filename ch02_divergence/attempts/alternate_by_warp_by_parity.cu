// rejected by: alternate_by_warp: technique: divergent branches
// why: right, but each warp has even and odd elements, and runs both operations one after the other

#include "../kernels.hpp"
#include "../operations.hpp"

using warpwise::ch02::shake;
using warpwise::ch02::stir;

extern "C" __global__ void alternate_by_warp(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i % 2 == 0 ? stir(in[i]) : shake(in[i]);
}
