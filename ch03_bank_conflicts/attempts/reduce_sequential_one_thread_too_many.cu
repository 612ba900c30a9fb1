// rejected by: reduce_sequential: safety: race at 15
// why: at each level the thread `stride` adds as well, to a value that thread 0 reads meanwhile

#include "../kernels.hpp"

extern "C" __global__ void reduce_sequential(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  partial[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid <= stride && tid + stride < blockDim.x) partial[tid] += partial[tid + stride];
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}
