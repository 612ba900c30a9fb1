// rejected by: block_sum_by_warps: result: n = 33, block = 32, grid = 3
// why: each block strides by its own width: blocks add what others add as well

#include "../kernels.hpp"

extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of a block

__device__ void sum_of_32(float* values, unsigned lane) {
  if (lane < 16) {
#pragma unroll
    for (unsigned stride = 16; stride > 0; stride /= 2) {
      const float sum = values[lane] + values[lane + stride];
      __syncwarp(0xffffu);
      values[lane] = sum;
      __syncwarp(0xffffu);
    }
  }
}

extern "C" __global__ void block_sum_by_warps(const float* in, float* out, unsigned n) {
  __shared__ float warp_sums[32];
  const unsigned tid = threadIdx.x;
  float sum = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x) sum += in[i];

  const unsigned lane = tid % 32;
  const unsigned warp = tid / 32;
  float* const own = partial + 32 * warp;
  own[lane] = sum;
  __syncwarp();
  sum_of_32(own, lane);

  if (lane == 0) warp_sums[warp] = own[0];
  if (tid >= blockDim.x / 32 && tid < 32) warp_sums[tid] = 0.0f;
  __syncthreads();

  if (warp == 0) sum_of_32(warp_sums, lane);
  if (tid == 0) out[blockIdx.x] = warp_sums[0];
}
