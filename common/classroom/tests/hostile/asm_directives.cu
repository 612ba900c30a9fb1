// hostile: directives of PTX in the text of an asm statement
// earns: 0
#include "kernels.hpp"
extern "C" __global__ void reduce_naive(const float*, float* out, unsigned) {
  asm volatile(".global .align 8 .b8 everything[1099511627776];");
  asm volatile(".version 99.9\n.target sm_999");
  out[blockIdx.x] = 0;
}
extern "C" __global__ void sum_in_place(float*) {}
