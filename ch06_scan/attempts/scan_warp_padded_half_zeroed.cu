// rejected by: scan_warp_padded: safety: uninitialised at 17
// why: eight zeros do for distances up to 8; at distance 16 lanes read the slots below them

#include "../kernels.hpp"

extern "C" __global__ void scan_warp_padded(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  int* own = partial + 49 * (threadIdx.x / 32) + 16 + lane;
  int value = i < n ? in[i] : 0;
  own[-8 - static_cast<int>(lane) + static_cast<int>(lane % 8)] = 0;
#pragma unroll 1
  for (int distance = 1; distance < 32; distance *= 2) {
    *own = value;
    __syncwarp();
    value += own[-distance];
    __syncwarp();
  }
  if (i < n) out[i] = value;
}
