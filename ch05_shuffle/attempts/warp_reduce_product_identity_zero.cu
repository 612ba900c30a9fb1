// rejected by: warp_reduce_product: result: n = 0, block = 32: out[0] is 0
// why: 0 is the identity of addition; a product with it is 0

#include "../kernels.hpp"

extern "C" __global__ void warp_reduce_product(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float product = i < n ? in[i] : 0.0f;
  for (unsigned distance = 16; distance > 0; distance /= 2)
    product *= __shfl_down_sync(0xffffffffu, product, distance);
  if (threadIdx.x % 32 == 0) out[i / 32] = product;
}
