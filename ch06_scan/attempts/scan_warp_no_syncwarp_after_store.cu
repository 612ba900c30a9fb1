// rejected by: scan_warp: safety: race at 14
// why: a lane may read the slot below before its owner has stored this step's sum

#include "../kernels.hpp"

extern "C" __global__ void scan_warp(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  int* own = partial + threadIdx.x;
  int value = i < n ? in[i] : 0;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    *own = value;
    if (lane >= distance) value += *(own - distance);
    __syncwarp();
  }
  if (i < n) out[i] = value;
}
