// rejected by: reduce_naive: result: out[0] was never written
// why: only the first stage is written; without the tree and the store nothing reaches out

#include "../kernels.hpp"

extern "C" __global__ void reduce_naive(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  partial[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  // TODO tree (about 4 lines): for stride 1, 2, 4 ... below blockDim.x, every thread whose index is a
  //      multiple of 2 * stride adds the value `stride` further on to its own. Where does the barrier of
  //      a level stand?

  // TODO store (1 line): one thread writes the block's sum to out[blockIdx.x].
}
