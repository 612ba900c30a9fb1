// rejected by: scan_warp: safety: race at 13
// why: code from before Volta: volatile keeps the stores, but nothing keeps the lanes in step

#include "../kernels.hpp"

extern "C" __global__ void scan_warp(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  volatile int* own = partial + threadIdx.x;
  int value = i < n ? in[i] : 0;
  *own = value;
  if (lane >= 1) *own = value = value + own[-1];
  if (lane >= 2) *own = value = value + own[-2];
  if (lane >= 4) *own = value = value + own[-4];
  if (lane >= 8) *own = value = value + own[-8];
  if (lane >= 16) *own = value = value + own[-16];
  if (i < n) out[i] = value;
}
