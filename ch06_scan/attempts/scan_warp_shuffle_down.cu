// rejected by: scan_warp_shuffle: result: out[0]
// why: from the lanes above: the scan from the other end

#include "../kernels.hpp"

extern "C" __global__ void scan_warp_shuffle(const int* in, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  int value = i < n ? in[i] : 0;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const int above = __shfl_down_sync(0xffffffffu, value, distance);
    if (lane + distance < 32) value += above;
  }
  if (i < n) out[i] = value;
}
