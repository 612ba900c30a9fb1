// hostile: PTX that ends its kernel and begins another one of the name of the next
// earns: 0
#include "kernels.hpp"
extern "C" __global__ void reduce_naive(const float*, float* out, unsigned) {
  asm volatile("ret; } .visible .entry sum_in_place(.param .u64 values) { ret;");
}
//@ solution of sum_in_place
