// hostile: a .pragma that nobody knows
// earns: 0
#include "kernels.hpp"
extern "C" __global__ void reduce_naive(const float*, float* out, unsigned) {
  asm volatile(".pragma \"points 100\";");
}
extern "C" __global__ void sum_in_place(float*) { asm volatile(".pragma \"all passed\";"); }
