// rejected by: scan_warp: safety: out-of-bounds at 11
// why: threads past the end of the input read what does not belong to it

#include "../kernels.hpp"

extern "C" __global__ void scan_warp(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  int* own = partial + threadIdx.x;
  int value = in[i];
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    *own = value;
    __syncwarp();
    if (lane >= distance) value += *(own - distance);
    __syncwarp();
  }
  if (i < n) out[i] = value;
}
