// rejected by: butterfly_sum: result: block = 128, real floats: out[0] is 0
// why: the sum is an int, so that what is behind the point is lost before it is added

#include "../kernels.hpp"

extern "C" __global__ void butterfly_sum(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = static_cast<int>(in[i]);
  for (unsigned distance = 1; distance < 32; distance *= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  out[i] = static_cast<float>(sum);
}
