// rejected by: warp_reduce_or: technique: shared memory requests
// why: right, but through an atomic in shared memory

#include "../kernels.hpp"

extern "C" __global__ void warp_reduce_or(const unsigned* in, unsigned* out, unsigned n) {
  __shared__ unsigned any[32];
  const unsigned warp = threadIdx.x / 32;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 == 0) any[warp] = 0;
  __syncwarp();
  if (i < n && in[i] != 0) atomicOr(&any[warp], 1u);
  __syncwarp();
  if (threadIdx.x % 32 == 0) out[i / 32] = any[warp];
}
