// Kernels for simulated_device_test.cpp.
#include "kernels.hpp"

extern "C" __global__ void twice(const int* in, int* out, unsigned n, int offset) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i] + offset;
}

extern "C" __global__ void nothing(int*) {}

extern "C" __global__ void first_only(int* out) {
  if (threadIdx.x == 0) out[0] = static_cast<int>(0xCDCDCDCD);  // looks like poison, but is written
}

extern "C" __global__ void endless(volatile int* flag) {
  while (*flag == 0) *flag = 0;  // a loop that only reads would be a deadlock, and told as one
}

extern "C" __global__ void out_of_bounds(int* out, unsigned n) { out[n + threadIdx.x] = 1; }
