// rejected by: warp_reduce_sum: technique: shared memory requests
// why: right, but the values go through shared memory: the way of chapter 4

#include "../kernels.hpp"

extern "C" __global__ void warp_reduce_sum(const float* in, float* out, unsigned n) {
  __shared__ float partial[1024];
  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  partial[tid] = i < n ? in[i] : 0.0f;
  __syncwarp();
  for (unsigned stride = 16; stride > 0; stride /= 2) {
    if (tid % 32 < stride) partial[tid] += partial[tid + stride];
    __syncwarp();
  }
  if (tid % 32 == 0) out[i / 32] = partial[tid];
}
