// Chapter 2: active threads side by side. README.md is the lesson; kernels.hpp says what each kernel must do.

#include "kernels.hpp"
#include "operations.hpp"

using warpwise::ch02::shake;
using warpwise::ch02::stir;

/// out[b] = the sum of the blockDim.x elements of `in` that belong to block b.
extern "C" __global__ void reduce_contiguous(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  // TODO load (about 4 lines): as in chapter 1, with its barrier.

  // TODO tree (about 5 lines): the same pairs as in chapter 1, stride 1, 2, 4 ..., but thread 0 adds the
  //      first pair of a level, thread 1 the second, thread 2 the third. Where does the pair of thread `tid`
  //      begin? Which threads have no pair?

  // TODO store (1 line): one thread writes the block's sum to out[blockIdx.x].
}

/// values[0] = the sum of the 2 * blockDim.x values; one block, in place, in global memory.
extern "C" __global__ void sum_convergent(float* values) {
  // TODO tree in place (about 5 lines): thread t owns element t. After each level, the sums are side by side
  //      from values[0] on. How far apart are the two elements of a pair? Where does each level's barrier go?
}

/// values[2 * blockDim.x - 1] = the sum of all values: the mirror image of sum_convergent.
extern "C" __global__ void sum_convergent_mirrored(float* values) {
  // TODO tree in place (about 5 lines): thread t owns element blockDim.x + t. Which threads must add at a
  //      given stride for the sum to end up in the last element?
}

/// out[i] = stir(in[i]) for even i, shake(in[i]) for odd i: each warp runs only one of the two.
extern "C" __global__ void alternate_by_warp(const unsigned* in, unsigned* out, unsigned n) {
  // TODO choose (about 4 lines): choose an element for each thread, so that the elements of a warp are all
  //      even or all odd. Two warps share 64 neighbouring elements.

  // TODO process (1 or 2 lines): apply `stir` or `shake`, if the element exists.
}

/// Adds the points of match i to both sides' totals: 3 for more goals, 1 each for a draw.
extern "C" __global__ void score_matches(const int* home_goals, const int* away_goals, int* home_points,
                                         int* away_points, unsigned n) {
  // TODO (about 5 lines): add to both totals without an `if` about the goals. A comparison is a number, 0 or
  //      1, and you can multiply by it.
}

/// out = for each block, stir(x) of its elements x >= 0, then shake(x) of its negative ones, each in order.
extern "C" __global__ void partition_by_sign(const int* in, unsigned* out, unsigned n) {
  extern __shared__ unsigned slots[];  // 2 * blockDim.x + 32 words, yours to divide

  // TODO rank (about 12 lines): how many elements of the block that are 0 or more come before this thread's
  //      element, and how many are there in all? __ballot_sync tells each lane how all lanes of its warp
  //      vote; shared memory tells a warp how the others vote.

  // TODO partition (about 3 lines): put the elements >= 0 at the front of `slots`, and the negative ones
  //      after them, starting at a multiple of 32. Fill the gap too: otherwise a lane of a pass
  //      reads a slot that was never written.

  // TODO two passes (about 3 lines): `stir` in the warps before the boundary, `shake` in those after it.

  // TODO close the gap (about 1 line): write the elements that exist to `out`.
}
