// rejected by: butterfly_sum: safety: sync at 10
// why: all 32 lanes come, but nothing brings them together before the mask is asked for

#include "../kernels.hpp"

extern "C" __global__ void butterfly_sum(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = in[i];
  for (unsigned distance = 1; distance < 32; distance *= 2)
    sum += __shfl_xor_sync(__activemask(), sum, distance);
  out[i] = sum;
}
