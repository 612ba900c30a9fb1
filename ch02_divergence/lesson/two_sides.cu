// The lanes of each warp take both sides of a branch, and the host says how many take each side.
// two_sides.cpp counts what that costs; the lesson says why the cost does not depend on how many they are.

#include "ch02_divergence/operations.hpp"

extern "C" __global__ void choose_by_lane(const unsigned* in, unsigned* out, unsigned shaken) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // [sides]
  const unsigned lane = threadIdx.x % 32;
  if (lane < shaken) {
    out[i] = warpwise::ch02::shake(in[i]);
  } else {
    out[i] = warpwise::ch02::stir(in[i]);
  }
  // [/sides]
}
