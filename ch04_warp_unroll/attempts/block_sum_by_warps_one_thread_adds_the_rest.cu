// rejected by: block_sum_by_warps: technique: exchanges of the second stage
// why: every warp has its tree, but then one thread adds the sums of the warps, one after the other

#include "../kernels.hpp"

extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

extern "C" __global__ void block_sum_by_warps(const float* in, float* out, unsigned n) {
  __shared__ float warp_sums[32];
  const unsigned tid = threadIdx.x, lane = tid % 32, warps = blockDim.x / 32;
  float sum = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  partial[tid] = sum;
  __syncwarp();
  for (unsigned stride = 16; stride > 0; stride /= 2) {
    if (lane < stride) partial[tid] += partial[tid + stride];
    __syncwarp();
  }
  if (lane == 0) warp_sums[tid / 32] = partial[tid];
  __syncthreads();

  if (tid == 0) {
    float all = 0.0f;
    for (unsigned warp = 0; warp < warps; ++warp) all += warp_sums[warp];
    out[blockIdx.x] = all;
  }
}
