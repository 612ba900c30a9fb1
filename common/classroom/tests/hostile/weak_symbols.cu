// hostile: weak kernels, and functions of the names that CUDA's own device code has
// earns: 0
#include "kernels.hpp"
extern "C" __device__ __attribute__((weak)) __noinline__ void __assert_fail_weak() {}
extern "C" __device__ __attribute__((weak)) __noinline__ int judge(int x) { return x; }
extern "C" __global__ __attribute__((weak)) void reduce_naive(const float*, float* out, unsigned n) {
  asm volatile(".weak .global .u32 warpwise_verdict;");
  out[blockIdx.x] = judge(n);
}
extern "C" __global__ __attribute__((weak)) void sum_in_place(float*) {}
