// Chapter 2: active threads side by side. README.md is the lesson; kernels.hpp says what each kernel must do.

#include "kernels.hpp"
#include "operations.hpp"

using warpwise::ch02::shake;
using warpwise::ch02::stir;

/// out[b] = the sum of the blockDim.x elements of `in` that belong to block b.
extern "C" __global__ void reduce_contiguous(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  partial[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();  // or the tree could read a value before its owner has stored it

  // [contiguous]
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    const unsigned left = 2 * stride * tid;
    if (left < blockDim.x) partial[left] += partial[left + stride];
    __syncthreads();  // or the next level could read a sum before this level has stored it
  }
  // [/contiguous]

  if (tid == 0) out[blockIdx.x] = partial[0];
}

/// values[0] = the sum of the 2 * blockDim.x values; one block, in place, in global memory.
extern "C" __global__ void sum_convergent(float* values) {
  // [convergent]
  const unsigned i = threadIdx.x;
  for (unsigned stride = blockDim.x; stride >= 1; stride /= 2) {
    if (threadIdx.x < stride) values[i] += values[i + stride];
    __syncthreads();  // or the next level could read a sum before this level has stored it
  }
  // [/convergent]
}

/// values[2 * blockDim.x - 1] = the sum of all values: the mirror image of sum_convergent.
extern "C" __global__ void sum_convergent_mirrored(float* values) {
  // [mirrored]
  const unsigned i = blockDim.x + threadIdx.x;
  for (unsigned stride = blockDim.x; stride >= 1; stride /= 2) {
    if (threadIdx.x >= blockDim.x - stride) values[i] += values[i - stride];
    __syncthreads();  // or the next level could read a sum before this level has stored it
  }
  // [/mirrored]
}

/// out[i] = stir(in[i]) for even i, shake(in[i]) for odd i: each warp runs only one of the two.
extern "C" __global__ void alternate_by_warp(const unsigned* in, unsigned* out, unsigned n) {
  // [alternate]
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  // Two warps share 64 neighbouring elements: the first takes the even ones, the second the odd ones.
  const unsigned is_odd = warp % 2;
  const unsigned i = blockIdx.x * blockDim.x + warp / 2 * 64 + 2 * lane + is_odd;
  if (i < n) out[i] = is_odd ? shake(in[i]) : stir(in[i]);
  // [/alternate]
}

/// Adds the points of match i to both sides' totals: 3 for more goals, 1 each for a draw.
extern "C" __global__ void score_matches(const int* home_goals, const int* away_goals, int* home_points,
                                         int* away_points, unsigned n) {
  // [score]
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int lead = home_goals[i] - away_goals[i];
    home_points[i] += 3 * (lead > 0) + (lead == 0);  // a comparison is a number: 0 or 1
    away_points[i] += 3 * (lead < 0) + (lead == 0);
  }
  // [/score]
}

/// out = for each block, stir(x) of its elements x >= 0, then shake(x) of its negative ones, each in order.
extern "C" __global__ void partition_by_sign(const int* in, unsigned* out, unsigned n) {
  extern __shared__ unsigned slots[];  // blockDim.x + 32: both groups, each from a multiple of 32
  unsigned* const votes = slots + blockDim.x + 32;  // blockDim.x

  const unsigned tid = threadIdx.x;
  const unsigned lane = tid % 32;
  const unsigned warp = tid / 32;
  const unsigned i = blockIdx.x * blockDim.x + tid;

  // [rank]
  const int value = i < n ? in[i] : -1;  // what does not exist comes last, and is not written
  const bool is_negative = value < 0;
  votes[tid] = __ballot_sync(0xffffffff, !is_negative);  // bit k is the answer of lane k
  for (unsigned slot = tid; slot < blockDim.x + 32; slot += blockDim.x) slots[slot] = 0;
  __syncthreads();  // or a warp could read the votes of another before they are there

  unsigned before = __popc(votes[tid] & ((1u << lane) - 1));  // elements >= 0 ahead of this one
  unsigned not_negative = 0;                                  // ... and in the whole block
  for (unsigned w = 0; w < blockDim.x / 32; ++w) {
    const unsigned count = __popc(votes[32 * w]);
    if (w < warp) before += count;
    not_negative += count;
  }
  // [/rank]

  // [passes]
  const unsigned boundary = (not_negative + 31) / 32 * 32;  // negatives start with a warp of their own
  slots[is_negative ? boundary + tid - before : before] = value;
  __syncthreads();  // or a pass could meet a slot that is not filled yet

  for (unsigned slot = tid; slot < blockDim.x + 32; slot += blockDim.x)
    slots[slot] = slot < boundary ? stir(slots[slot]) : shake(slots[slot]);
  __syncthreads();  // or the gap could be closed before its right side is processed

  if (i < n) out[i] = slots[tid < not_negative ? tid : boundary + tid - not_negative];
  // [/passes]
}
