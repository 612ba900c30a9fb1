// hostile: kernels that never end
// earns: 0
#include "kernels.hpp"
extern "C" __global__ void reduce_naive(const float*, float* out, unsigned) {
  for (volatile float* flag = out; *flag != 12345.0f;) *flag = 0;
}
extern "C" __global__ void sum_in_place(float* values) {
  while (true) __syncthreads();
}
