// rejected by: scan_warp: technique: block barriers
// why: right, but the whole block waits ten times for what concerns a warp

#include "../kernels.hpp"

extern "C" __global__ void scan_warp(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  int* own = partial + threadIdx.x;
  int value = i < n ? in[i] : 0;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    *own = value;
    __syncthreads();
    if (lane >= distance) value += *(own - distance);
    __syncthreads();
  }
  if (i < n) out[i] = value;
}
