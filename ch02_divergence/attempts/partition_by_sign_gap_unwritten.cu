// rejected by: partition_by_sign: safety: uninitialised at 37
// why: nobody has written the slots of the gap, and the lanes of a pass that stand there read them

#include "../kernels.hpp"
#include "../operations.hpp"

using warpwise::ch02::shake;
using warpwise::ch02::stir;

extern "C" __global__ void partition_by_sign(const int* in, unsigned* out, unsigned n) {
  extern __shared__ unsigned slots[];
  unsigned* const votes = slots + blockDim.x + 32;

  const unsigned tid = threadIdx.x;
  const unsigned lane = tid % 32;
  const unsigned warp = tid / 32;
  const unsigned i = blockIdx.x * blockDim.x + tid;

  const int value = i < n ? in[i] : -1;
  const bool is_negative = value < 0;
  votes[tid] = __ballot_sync(0xffffffff, !is_negative);
  __syncthreads();

  unsigned before = __popc(votes[tid] & ((1u << lane) - 1));
  unsigned not_negative = 0;
  for (unsigned w = 0; w < blockDim.x / 32; ++w) {
    const unsigned count = __popc(votes[32 * w]);
    if (w < warp) before += count;
    not_negative += count;
  }

  const unsigned boundary = (not_negative + 31) / 32 * 32;
  slots[is_negative ? boundary + tid - before : before] = value;
  __syncthreads();

  for (unsigned slot = tid; slot < blockDim.x + 32; slot += blockDim.x) {
    const unsigned found = slots[slot];
    slots[slot] = slot < boundary ? stir(found) : shake(found);
  }
  __syncthreads();

  if (i < n) out[i] = slots[tid < not_negative ? tid : boundary + tid - not_negative];
}
