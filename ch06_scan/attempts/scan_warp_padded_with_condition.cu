// rejected by: scan_warp_padded: technique: divergent branches
// why: right, but the padding is not used: the condition is still there

#include "../kernels.hpp"

extern "C" __global__ void scan_warp_padded(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  int* own = partial + 49 * (threadIdx.x / 32) + 16 + lane;
  int value = i < n ? in[i] : 0;
  own[-16 + static_cast<int>(lane % 16) - static_cast<int>(lane)] = 0;
  for (int distance = 1; distance < 32; distance *= 2) {
    *own = value;
    __syncwarp();
    if (lane >= distance) value += own[-distance];
    __syncwarp();
  }
  if (i < n) out[i] = value;
}
