// rejected by: scan_block_inclusive_int: technique: block barriers
// why: right, but the whole block goes through shared memory, with two barriers for each of
// log2(blockDim.x) steps

#include "../kernels.hpp"

extern "C" __global__ void scan_block_inclusive_int(const int* in, int* out, int* sums, unsigned n) {
  __shared__ int partial[1024];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    partial[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x >= distance) value += partial[threadIdx.x - distance];
    __syncthreads();
  }
  if (i < n) out[i] = value;
  if (sums != nullptr && threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = value;
}
