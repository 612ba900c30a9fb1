// hostile: says that its code comes from a file of the host, a line of which a finding would show
// earns: 0
#include "kernels.hpp"
extern "C" __global__ void reduce_naive(const float*, float* out, unsigned) {
  asm volatile(".file 77 \"SECRET_PATH\"\n.loc 77 1 0");
  out[1u << 30] = 0;
}
extern "C" __global__ void sum_in_place(float*) {}
