// rejected by: scan_warp_shuffle: safety: sync at 11
// why: the mask names 32 lanes, but only those that pass the test come to the shuffle

#include "../kernels.hpp"

extern "C" __global__ void scan_warp_shuffle(const int* in, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  int value = i < n ? in[i] : 0;
  for (unsigned distance = 1; distance < 32; distance *= 2)
    if (lane >= distance) value += __shfl_up_sync(0xffffffffu, value, distance);
  if (i < n) out[i] = value;
}
