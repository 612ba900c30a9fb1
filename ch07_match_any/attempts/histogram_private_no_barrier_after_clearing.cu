// rejected by: histogram_private: safety: race at 10
// why: a thread counts in a bin that its owner may clear afterwards

#include "../kernels.hpp"

extern "C" __global__ void histogram_private(const unsigned* keys, unsigned* histogram, unsigned n,
                                             unsigned bins) {
  extern __shared__ unsigned own[];

  for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x) own[bin] = 0;
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned threads = gridDim.x * blockDim.x;
  const uint4* fours = reinterpret_cast<const uint4*>(keys);
  for (unsigned i = thread; i < n / 4; i += threads) {
    const uint4 four = fours[i];
    atomicAdd(&own[four.x], 1u);
    atomicAdd(&own[four.y], 1u);
    atomicAdd(&own[four.z], 1u);
    atomicAdd(&own[four.w], 1u);
  }
  for (unsigned i = n / 4 * 4 + thread; i < n; i += threads) atomicAdd(&own[keys[i]], 1u);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x)
    if (own[bin] != 0) atomicAdd(&histogram[bin], own[bin]);
}
