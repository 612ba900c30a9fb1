// rejected by: scan_sums: technique: shared stores and atomics a round
// why: right, but one warp walks along the array, 32 elements a round, and the others have nothing to do

#include "../kernels.hpp"

__device__ int scan(int value) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const int below = __shfl_up_sync(0xffffffffu, value, distance);
    if (lane >= distance) value += below;
  }
  return value;
}

extern "C" __global__ void scan_sums(int* sums, unsigned count) {
  if (threadIdx.x >= 32) return;
  int ahead = 0;
  for (unsigned begin = 0; begin < count; begin += 32) {
    const unsigned i = begin + threadIdx.x;
    const int value = i < count ? sums[i] : 0;
    const int scanned = scan(value);
    if (i < count) sums[i] = ahead + scanned - value;
    ahead += __shfl_sync(0xffffffffu, scanned, 31);
  }
}
