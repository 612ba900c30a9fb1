// rejected by: warp_sum_padded: safety: uninitialised at 15
// why: nobody writes the 16 slots behind the values, and the upper lanes read them

#include "../kernels.hpp"

__device__ float element(const float* in, unsigned i, unsigned n) { return i < n ? in[i] : 0.0f; }

extern "C" __global__ void warp_sum_padded(const float* in, float* out, unsigned n) {
  __shared__ float values[32 + 16];
  const unsigned lane = threadIdx.x;
  values[lane] = element(in, 32 * blockIdx.x + lane, n);
  __syncwarp();

  for (unsigned stride = 16; stride > 0; stride /= 2) {
    const float sum = values[lane] + values[lane + stride];
    __syncwarp();
    values[lane] = sum;
    __syncwarp();
  }

  if (lane == 0) out[blockIdx.x] = values[0];
}
