// rejected by: reduce_first_add: result: n = 33, block = 32
// why: the second element is taken only if the whole stretch exists: of a block with a tail, what lies in
// the second half is lost

#include "../kernels.hpp"

extern "C" __global__ void reduce_first_add(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * 2 * blockDim.x + tid;
  float sum = i < n ? in[i] : 0.0f;
  if ((blockIdx.x + 1) * 2 * blockDim.x <= n) sum += in[i + blockDim.x];
  partial[tid] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}
