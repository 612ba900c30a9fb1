// rejected by: reduce_shuffle: technique: grid = 3: warp 1 of block 0 reads no element
// why: right, and without a barrier, but the first warp of each block does what all its warps should share

#include "../kernels.hpp"

extern "C" __global__ void reduce_shuffle(const float* in, float* out, unsigned n) {
  if (threadIdx.x >= 32) return;
  float sum = 0.0f;
  for (unsigned i = blockIdx.x * 32 + threadIdx.x; i < n; i += gridDim.x * 32) sum += in[i];
  for (unsigned distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, distance);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
