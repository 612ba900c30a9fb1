// rejected by: histogram_private: technique: atomic requests
// why: right, but each key is one atomic operation on global memory

#include "../kernels.hpp"

extern "C" __global__ void histogram_private(const unsigned* keys, unsigned* histogram, unsigned n,
                                             unsigned bins) {
  extern __shared__ unsigned own[];

  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned threads = gridDim.x * blockDim.x;
  const uint4* fours = reinterpret_cast<const uint4*>(keys);
  for (unsigned i = thread; i < n / 4; i += threads) {
    const uint4 four = fours[i];
    atomicAdd(&histogram[four.x], 1u);
    atomicAdd(&histogram[four.y], 1u);
    atomicAdd(&histogram[four.z], 1u);
    atomicAdd(&histogram[four.w], 1u);
  }
  for (unsigned i = n / 4 * 4 + thread; i < n; i += threads) atomicAdd(&histogram[keys[i]], 1u);
}
