// rejected by: histogram_private: technique: global load requests
// why: right, but 32 keys a load request where 128 would do

#include "../kernels.hpp"

extern "C" __global__ void histogram_private(const unsigned* keys, unsigned* histogram, unsigned n,
                                             unsigned bins) {
  extern __shared__ unsigned own[];

  for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x) own[bin] = 0;
  __syncthreads();
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned threads = gridDim.x * blockDim.x;
  for (unsigned i = thread; i < n; i += threads) atomicAdd(&own[keys[i]], 1u);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x)
    if (own[bin] != 0) atomicAdd(&histogram[bin], own[bin]);
}
