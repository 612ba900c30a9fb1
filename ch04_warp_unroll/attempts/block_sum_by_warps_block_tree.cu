// rejected by: block_sum_by_warps: technique: block barriers
// why: right, but the tree of chapter 3: the whole block waits at every level

#include "../kernels.hpp"

extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of a block

extern "C" __global__ void block_sum_by_warps(const float* in, float* out, unsigned n) {
  __shared__ float warp_sums[32];
  const unsigned tid = threadIdx.x;
  float sum = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x) sum += in[i];

  partial[tid] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();
  }

  if (tid == 0) warp_sums[0] = partial[0];
  if (tid == 0) out[blockIdx.x] = warp_sums[0];
}
