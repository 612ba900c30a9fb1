// rejected by: reduce_shuffle: safety: sync at 18
// why: the mask names whoever is there at that moment; right only if the lanes of the first warp are together

#include "../kernels.hpp"

extern "C" __global__ void reduce_shuffle(const float* in, float* out, unsigned n) {
  __shared__ float warp_sums[32];
  float sum = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  for (unsigned distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, distance);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;
  __syncthreads();
  const unsigned warps = blockDim.x / 32;
  if (threadIdx.x < warps) {
    sum = warp_sums[threadIdx.x];
    for (unsigned distance = warps / 2; distance > 0; distance /= 2)
      sum += __shfl_xor_sync(__activemask(), sum, distance);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
  }
}
