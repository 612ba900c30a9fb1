// hostile: variables of the device that are to be computed before anything runs
// earns: 0
#include "kernels.hpp"
__device__ int answers() { return 42; }
__device__ int table[1 << 20] = {answers(), 1, 2, 3};
extern "C" __global__ void reduce_naive(const float*, float* out, unsigned n) { out[blockIdx.x] = table[n % 3]; }
extern "C" __global__ void sum_in_place(float*) {}
