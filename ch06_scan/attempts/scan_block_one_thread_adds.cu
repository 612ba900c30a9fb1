// rejected by: scan_block_inclusive_int: technique: shared load requests
// why: right, with two barriers, but one thread adds up the whole block

#include "../kernels.hpp"

extern "C" __global__ void scan_block_inclusive_int(const int* in, int* out, int* sums, unsigned n) {
  __shared__ int partial[1024];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (threadIdx.x == 0)
    for (unsigned t = 1; t < blockDim.x; ++t) partial[t] += partial[t - 1];
  __syncthreads();
  if (i < n) out[i] = partial[threadIdx.x];
  if (sums != nullptr && threadIdx.x == 0) sums[blockIdx.x] = partial[blockDim.x - 1];
}
