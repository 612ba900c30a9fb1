// hostile: CUB does the work of one kernel, one thread that of the other
// earns: 6
#include <cub/block/block_reduce.cuh>
#include "kernels.hpp"
extern "C" __global__ void reduce_naive(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i < n ? in[i] : 0;
  extern __shared__ float partial[];
  if (blockDim.x == 256) {
    using Reduce = cub::BlockReduce<float, 256>;
    __shared__ typename Reduce::TempStorage storage;
    x = Reduce(storage).Sum(x);
  } else {
    partial[threadIdx.x] = x;
    __syncthreads();
    if (threadIdx.x == 0) for (unsigned k = 1; k < blockDim.x; ++k) x += partial[k];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = x;
}
extern "C" __global__ void sum_in_place(float* values) {
  if (threadIdx.x == 0) for (unsigned k = 1; k < 2 * blockDim.x; ++k) values[0] += values[k];
}
