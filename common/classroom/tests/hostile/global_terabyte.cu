// hostile: a terabyte of global memory, in the module
// earns: 0
#include "kernels.hpp"
__device__ volatile char everything[1ull << 40];
extern "C" __global__ void reduce_naive(const float*, float* out, unsigned n) { out[0] = everything[n]; }
extern "C" __global__ void sum_in_place(float* values) { values[0] = everything[1]; }
