// hostile: a terabyte of local memory for each thread
// earns: 0
#include "kernels.hpp"
extern "C" __global__ void reduce_naive(const float*, float* out, unsigned n) {
  volatile char everything[1ull << 40];
  everything[n] = 1;
  out[0] = everything[n];
}
extern "C" __global__ void sum_in_place(float* values) {
  volatile char much[1u << 30];
  much[threadIdx.x] = 1;
  values[0] = much[threadIdx.x];
}
