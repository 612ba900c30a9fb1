// rejected by: scan_warp_shuffle: result: out[0]
// why: a lane without one below it gets its own value, and adds it

#include "../kernels.hpp"

extern "C" __global__ void scan_warp_shuffle(const int* in, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;
  for (unsigned distance = 1; distance < 32; distance *= 2)
    value += __shfl_up_sync(0xffffffffu, value, distance);
  if (i < n) out[i] = value;
}
