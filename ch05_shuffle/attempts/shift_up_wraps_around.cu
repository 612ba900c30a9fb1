// rejected by: shift_up: result: block = 32, distance 1: out[0]
// why: the first lanes get the elements of the last ones instead of keeping their own

#include "../kernels.hpp"

extern "C" __global__ void shift_up(const float* in, float* out, unsigned distance) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __shfl_sync(0xffffffffu, in[i], threadIdx.x - distance);  // modulo 32
}
