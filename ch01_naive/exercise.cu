// Chapter 1: a tree of adjacent pairs. README.md is the lesson; kernels.hpp says what each kernel must do.

#include "kernels.hpp"

/// out[b] = the sum of the blockDim.x elements of `in` that belong to block b.
extern "C" __global__ void reduce_naive(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  // [block_sum]
  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  partial[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();  // or the tree could read a value before its owner has stored it

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0) partial[tid] += partial[tid + stride];
    __syncthreads();  // or the next level could read a sum before this level has stored it
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
  // [/block_sum]
}

/// values[0] = the sum of the 2 * blockDim.x values; one block, in place, in global memory.
