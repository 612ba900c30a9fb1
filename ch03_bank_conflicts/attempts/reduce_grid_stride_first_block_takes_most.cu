// rejected by: reduce_grid_stride: technique: elements that one of 4 blocks takes
// why: every block takes the elements it stands on at first, and block 0 all the others

#include "../kernels.hpp"

extern "C" __global__ void reduce_grid_stride(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned first = blockIdx.x * blockDim.x + tid;
  float sum = first < n ? in[first] : 0.0f;
  if (blockIdx.x == 0) {
    for (unsigned i = gridDim.x * blockDim.x + tid; i < n; i += blockDim.x) sum += in[i];
  }
  partial[tid] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}
