// rejected by: scan_warp: safety: race at 16
// why: a lane may overwrite its slot before the lane above has read it: no __syncwarp() between read and
// write

#include "../kernels.hpp"

extern "C" __global__ void scan_warp(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  int* own = partial + threadIdx.x;
  int value = i < n ? in[i] : 0;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    *own = value;
    __syncwarp();
    if (lane >= distance) value += *(own - distance);
  }
  if (i < n) out[i] = value;
}
