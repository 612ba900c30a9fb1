// rejected by: reduce_grid_stride: technique: global load sectors
// why: right, but each thread takes a stretch of neighbours, so that the 32 lanes of a load are far apart: a
// sector each

#include "../kernels.hpp"

extern "C" __global__ void reduce_grid_stride(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned threads = gridDim.x * blockDim.x;
  const unsigned chunk = (n + threads - 1) / threads;
  const unsigned first = (blockIdx.x * blockDim.x + tid) * chunk;
  float sum = 0.0f;
  for (unsigned i = first; i < n && i < first + chunk; ++i) sum += in[i];
  partial[tid] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}
