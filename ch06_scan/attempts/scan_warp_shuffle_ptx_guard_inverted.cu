// rejected by: scan_warp_shuffle_ptx: result: out[0]
// why: adds where there is no lane below, and nowhere else

#include "../kernels.hpp"

__device__ int add_from_below(int value, unsigned distance) {
  asm volatile(
      "{\n\t"
      ".reg .s32 below;\n\t"
      ".reg .pred is_there;\n\t"
      "shfl.sync.up.b32 below|is_there, %0, %1, 0, 0xffffffff;\n\t"
      "@!is_there add.s32 %0, %0, below;\n\t"
      "}"
      : "+r"(value)
      : "r"(distance));
  return value;
}

extern "C" __global__ void scan_warp_shuffle_ptx(const int* in, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) value = add_from_below(value, distance);
  if (i < n) out[i] = value;
}
