// rejected by: shift_down: result: block = 32, distance 1: out[0]
// why: up hands values to higher lanes, so a lane gets the element below it

#include "../kernels.hpp"

extern "C" __global__ void shift_down(const float* in, float* out, unsigned distance) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __shfl_up_sync(0xffffffffu, in[i], distance);
}
