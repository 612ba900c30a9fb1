// rejected by: partition_by_sign: result: in another order
// why: places are drawn by atomics: who comes first stands first, and no rule says who that is

#include "../kernels.hpp"
#include "../operations.hpp"

using warpwise::ch02::shake;
using warpwise::ch02::stir;

extern "C" __global__ void partition_by_sign(const int* in, unsigned* out, unsigned n) {
  extern __shared__ unsigned slots[];
  unsigned* const drawn = slots + blockDim.x + 32;  // two counters

  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  const int value = i < n ? in[i] : -1;
  const bool is_negative = value < 0;
  const unsigned not_negative = __syncthreads_count(!is_negative);
  const unsigned boundary = (not_negative + 31) / 32 * 32;
  if (tid < 32) drawn[tid] = 0;
  for (unsigned slot = tid; slot < blockDim.x + 32; slot += blockDim.x) slots[slot] = 0;
  __syncthreads();

  const unsigned ahead = atomicAdd(&drawn[is_negative], 1);
  slots[is_negative ? boundary + ahead : ahead] = value;
  __syncthreads();

  for (unsigned slot = tid; slot < blockDim.x + 32; slot += blockDim.x)
    slots[slot] = slot < boundary ? stir(slots[slot]) : shake(slots[slot]);
  __syncthreads();

  if (i < n) out[i] = slots[tid < not_negative ? tid : boundary + tid - not_negative];
}
