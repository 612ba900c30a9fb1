// hostile: right by lot: clocks, the timer and places decide, which must be the same in every run
// earns: 0
#include "kernels.hpp"
__device__ bool lot() {
  unsigned long long t; unsigned sm, w; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); asm volatile("mov.u32 %0, %%smid;" : "=r"(sm)); asm volatile("mov.u32 %0, %%warpid;" : "=r"(w));
  return ((t >> 3) ^ clock64() ^ sm ^ w) & 1;
}
extern "C" __global__ void reduce_naive(const float*, float* out, unsigned n) { out[blockIdx.x] = lot() ? 1 : 2; }
extern "C" __global__ void sum_in_place(float* values) { values[0] = static_cast<float>(clock64()) ; unsigned long long t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); values[1] = static_cast<float>(t % 1000); }
