// hostile: a terabyte of shared memory
// earns: 0
#include "kernels.hpp"
extern "C" __global__ void reduce_naive(const float*, float* out, unsigned) {
  __shared__ volatile char everything[1ull << 40];
  everything[threadIdx.x] = 1;
  out[0] = everything[0];
}
extern "C" __global__ void sum_in_place(float*) {}
