// rejected by: scan_warp_padded: technique: shared store requests
// why: right, but there is no zero to add: each lane asks in each step, only that no branch comes of it

#include "../kernels.hpp"

extern "C" __global__ void scan_warp_padded(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = static_cast<int>(threadIdx.x % 32);
  int* own = partial + 49 * (threadIdx.x / 32) + 16 + lane;
  int value = i < n ? in[i] : 0;
  for (int distance = 1; distance < 32; distance *= 2) {
    *own = value;
    __syncwarp();
    const int below = own[lane >= distance ? -distance : 0];
    value += lane >= distance ? below : 0;
    __syncwarp();
  }
  if (i < n) out[i] = value;
}
