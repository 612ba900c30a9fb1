// rejected by: scan_warp: technique: shared load requests
// why: right, but no scan in five steps: each lane adds up all that lies below it

#include "../kernels.hpp"

extern "C" __global__ void scan_warp(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  int* own = partial + threadIdx.x;
  int value = i < n ? in[i] : 0;
  *own = value;
  __syncwarp();
  for (unsigned below = 1; below <= lane; ++below) value += *(own - below);
  if (i < n) out[i] = value;
}
