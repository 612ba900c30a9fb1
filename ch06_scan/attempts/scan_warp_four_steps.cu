// rejected by: scan_warp: result: n = 31
// why: the last step is missing: the upper half of the warp sees 16 elements at most

#include "../kernels.hpp"

extern "C" __global__ void scan_warp(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  int* own = partial + threadIdx.x;
  int value = i < n ? in[i] : 0;
  for (unsigned distance = 1; distance < 16; distance *= 2) {
    *own = value;
    __syncwarp();
    if (lane >= distance) value += *(own - distance);
    __syncwarp();
  }
  if (i < n) out[i] = value;
}
