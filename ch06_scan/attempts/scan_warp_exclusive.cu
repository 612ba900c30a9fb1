// rejected by: scan_warp: result: out[0]
// why: the exclusive scan where the inclusive one is asked for

#include "../kernels.hpp"

extern "C" __global__ void scan_warp(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  int* own = partial + threadIdx.x;
  int value = i < n ? in[i] : 0;
  const int element = value;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    *own = value;
    __syncwarp();
    if (lane >= distance) value += *(own - distance);
    __syncwarp();
  }
  value -= element;
  if (i < n) out[i] = value;
}
