// rejected by: scan_warp_padded: safety: race at 18
// why: padding ahead of the first warp only: the others add the sums of the warp below, which does not
// wait for them

#include "../kernels.hpp"

extern "C" __global__ void scan_warp_padded(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int* own = partial + 16 + threadIdx.x;
  int value = i < n ? in[i] : 0;
  if (threadIdx.x < 16) partial[threadIdx.x] = 0;
  __syncwarp();
#pragma unroll 1
  for (int distance = 1; distance < 32; distance *= 2) {
    *own = value;
    __syncwarp();
    value += own[-distance];
    __syncwarp();
  }
  if (i < n) out[i] = value;
}
