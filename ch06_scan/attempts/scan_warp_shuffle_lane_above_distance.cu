// rejected by: scan_warp_shuffle: result: out[1]
// why: lane > distance for lane >= distance: the lane right at the distance forgets lane 0

#include "../kernels.hpp"

extern "C" __global__ void scan_warp_shuffle(const int* in, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  int value = i < n ? in[i] : 0;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const int below = __shfl_up_sync(0xffffffffu, value, distance);
    if (lane > distance) value += below;
  }
  if (i < n) out[i] = value;
}
