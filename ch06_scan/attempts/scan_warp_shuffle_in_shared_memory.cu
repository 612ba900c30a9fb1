// rejected by: scan_warp_shuffle: technique: shuffles a warp
// why: right, but through shared memory

#include "../kernels.hpp"

extern "C" __global__ void scan_warp_shuffle(const int* in, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  int value = i < n ? in[i] : 0;
  __shared__ int partial[1024];
  int* own = partial + threadIdx.x;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    *own = value;
    __syncwarp();
    if (lane >= distance) value += *(own - distance);
    __syncwarp();
  }
  if (i < n) out[i] = value;
}
