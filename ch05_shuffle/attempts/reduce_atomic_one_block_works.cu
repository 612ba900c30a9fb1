// rejected by: reduce_atomic: technique: grid = 3: warp 0 of block 1 reads no element
// why: right, but the first block adds up everything while the others have nothing to do

#include "../kernels.hpp"

__device__ float warp_sum(float value) {
  for (unsigned distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

extern "C" __global__ void reduce_atomic(const float* in, float* total, unsigned n) {
  __shared__ float warp_sums[32];
  if (blockIdx.x != 0) return;
  float sum = 0.0f;
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) sum += in[i];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = warp_sum(threadIdx.x < blockDim.x / 32 ? warp_sums[threadIdx.x] : 0.0f);
  if (threadIdx.x == 0) atomicAdd(total, sum);
}
