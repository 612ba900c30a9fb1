// hostile: reads and writes addresses of the host, which those of the simulated GPU are
// earns: 0
#include "kernels.hpp"
extern "C" __global__ void reduce_naive(const float* in, float* out, unsigned n) {
  for (unsigned long long at = reinterpret_cast<unsigned long long>(out) & ~0xffffull, i = 0; i < 1000; ++i)
    reinterpret_cast<volatile unsigned long long*>(at)[i] = 0x4141414141414141;
  for (unsigned long long at = 0x400000; at < 0x800000; at += 4096) *reinterpret_cast<volatile int*>(at) = 0;
}
extern "C" __global__ void sum_in_place(float* values) { for (long i = 0; i < 10000; ++i) values[-i] = 0; }
