// hostile: takes memory on the device without an end
// earns: 0
#include "kernels.hpp"
extern "C" __global__ void reduce_naive(const float*, float* out, unsigned) {
  for (char* p = nullptr;; p = static_cast<char*>(malloc(1 << 30))) if (p) *p = 1;
}
extern "C" __global__ void sum_in_place(float* values) { while (new float[1 << 20]) values[0] += 1; }
