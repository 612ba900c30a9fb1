// rejected by: reduce_shuffle: technique: bytes of shared memory: 4096
// why: right, and with one barrier, but every value goes through shared memory

#include "../kernels.hpp"

__device__ float warp_sum(float value) {
  for (unsigned distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

extern "C" __global__ void reduce_shuffle(const float* in, float* out, unsigned n) {
  __shared__ float partial[1024];
  float sum = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = 0.0f;
    for (unsigned i = threadIdx.x; i < blockDim.x; i += 32) sum += partial[i];
    sum = warp_sum(sum);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
  }
}
