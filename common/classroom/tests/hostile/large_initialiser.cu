// hostile: millions of values that the module is to hold
// earns: 0
#include "kernels.hpp"
#define A(...) __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__
#define B(...) A(A(A(__VA_ARGS__)))
#define C(...) B(__VA_ARGS__) B(__VA_ARGS__) B(__VA_ARGS__) B(__VA_ARGS__) B(__VA_ARGS__)
__device__ volatile int table[] = {C(1, 2, 3, 4,) C(5, 6, 7, 8,) C(9,)};
extern "C" __global__ void reduce_naive(const float*, float* out, unsigned n) { out[blockIdx.x] = table[n]; }
extern "C" __global__ void sum_in_place(float*) {}
