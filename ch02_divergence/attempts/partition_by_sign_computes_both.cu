// rejected by: partition_by_sign: technique: runs of stir or shake
// why: right and without a branch, but every lane pays for both: nothing is gained by the partition

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

  const unsigned stirred = stir(value);
  const unsigned shaken = shake(value);
  const unsigned sign = is_negative;
  const unsigned result = sign * shaken + (1 - sign) * stirred;
  const unsigned place = is_negative ? not_negative + tid - before : before;
  if (blockIdx.x * blockDim.x + place < n) out[blockIdx.x * blockDim.x + place] = result;
}
