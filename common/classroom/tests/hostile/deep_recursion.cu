// hostile: calls itself without an end
// earns: 0
#include "kernels.hpp"
__device__ __noinline__ float deeper(volatile float* x, unsigned n) {
  volatile float here[64];
  here[n % 64] = *x;
  return deeper(x, n + 1) + here[n % 63];
}
extern "C" __global__ void reduce_naive(const float*, float* out, unsigned n) { out[blockIdx.x] = deeper(out, n); }
extern "C" __global__ void sum_in_place(float* values) { values[0] = deeper(values, 0); }
