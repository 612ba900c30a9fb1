// hostile: the contract's macros and the language's words mean something else
// earns: 0
#define WARPWISE_KERNEL(name, parameters) int name##_is_right
#define unsigned float
#define __CUDACC__ 1
#include "kernels.hpp"
extern "C" __global__ void reduce_naive(const float* in, float* out, unsigned n) { out[blockIdx.x] = n; }
extern "C" __global__ void sum_in_place(float* values) {}
