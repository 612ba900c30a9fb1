// Chapter 4: the last warp needs no block barrier. README.md is the lesson; kernels.hpp says what each kernel
// must do.

#include "kernels.hpp"

[[maybe_unused]] constexpr unsigned lower_half = 0x0000ffffu;  // a mask that names lanes 0 to 15

extern __shared__ float partial[];  // dynamic: blockDim.x floats, shared by the threads of a block

/// Element i of `in`, or the identity of addition if there is none. Given.
__device__ float element(const float* in, unsigned i, unsigned n) { return i < n ? in[i] : 0.0f; }

/// The sum of this thread's two elements, which are `block` apart, as in chapter 3. Given.
__device__ float two_elements(const float* in, unsigned n, unsigned block) {
  const unsigned i = 2 * block * blockIdx.x + threadIdx.x;
  return element(in, i, n) + element(in, i + block, n);
}

/// values[0] = the sum of values[0] to values[31]. All lanes of a warp call this, after waiting until the
/// values are stored; the lanes below 16 do the work. Leaves garbage in values[1] to [15].
__device__ void sum_of_32(float* values, unsigned lane) {
  // TODO one condition (about 6 lines): the lanes below 16 make five steps, with stride 16, 8, 4, 2
  //      and 1. In each step, a lane reads its own slot and the one `stride` further on, waits, writes
  //      the sum to its own slot, and waits again. They wait with __syncwarp(lower_half), because lanes
  //      16 to 31 don't reach these calls. Which race does each of the two waits prevent?
}

/// out[b] = the sum of the 32 elements of block b, with a condition in each step.
extern "C" __global__ void warp_sum_step_condition(const float* in, float* out, unsigned n) {
  // TODO load (about 4 lines): `__shared__ float values[32]` has a slot for each lane. Each lane
  //      stores its element there (see `element`). Then the warp waits, with __syncwarp().

  // TODO tree (about 4 lines): for stride 16, 8, 4, 2, 1, the lanes below `stride` add the value
  //      `stride` further on to their own. Where does each step's barrier go, and why is one
  //      enough?

  // TODO store (1 line): one thread writes the block's sum to out[blockIdx.x].
}

/// out[b] = the sum of the 32 elements of block b, with one condition around all five additions.
extern "C" __global__ void warp_sum_one_condition(const float* in, float* out, unsigned n) {
  // TODO load, sum, store (about 6 lines): load as in warp_sum_step_condition, call sum_of_32 and
  //      store the result. The work is done in sum_of_32, above.
}

/// out[b] = the sum of the 32 elements of block b, with no condition, but zeros after the values.
extern "C" __global__ void warp_sum_padded(const float* in, float* out, unsigned n) {
  // TODO load (about 5 lines): declare `__shared__ float values[32 + 16]`. Store the elements in the
  //      first 32 slots, and zeros in the 16 slots after them. Then the warp waits.

  // TODO tree (about 6 lines): make the five steps of sum_of_32, but with all 32 lanes. What does
  //      lane 31 read?

  // TODO store (1 line): one thread writes the block's sum to out[blockIdx.x].
}

/// out[b] = the sum of the 2 * blockDim.x elements of block b.
extern "C" __global__ void reduce_unroll_last_warp(const float* in, float* out, unsigned n) {
  // TODO load (about 3 lines): each thread stores the sum of its two elements in `partial` (see
  //      `two_elements`). Then all threads wait.

  // TODO block levels (about 4 lines): build the tree with strides blockDim.x / 2, half of it ...
  //      while more than 32 threads add, with a block barrier after each level.

  // TODO last warp (about 7 lines): threads 0 to 31 add the value 32 further on, a step with one
  //      __syncwarp(), and then call sum_of_32. Which blocks have no slot 32?

  // TODO store (1 line): one thread writes the block's sum to out[blockIdx.x].
}

/// out[b] = the sum of the 2 * block elements of block b, for blocks of exactly `block` threads.
template <unsigned block>
__device__ void reduce_unrolled(const float* in, float* out, unsigned n) {
  // TODO unroll (about 14 lines): write reduce_unroll_last_warp with `block` instead of blockDim.x,
  //      so that the compiler knows how many levels there are. `#pragma unroll` before a loop tells
  //      it to write the loop out. What can `if constexpr` do for a block of 32?
}

// The compiler makes code from a template only where its argument is given, as these kernels do. Unlike the
// template, they have names that the host can look up.
extern "C" __global__ void reduce_unrolled_32(const float* in, float* out, unsigned n) {
  // TODO call (1 line): call reduce_unrolled for blocks of 32.
}
extern "C" __global__ void reduce_unrolled_64(const float* in, float* out, unsigned n) {
  // TODO call (1 line): call reduce_unrolled for blocks of 64.
}
extern "C" __global__ void reduce_unrolled_128(const float* in, float* out, unsigned n) {
  // TODO call (1 line): call reduce_unrolled for blocks of 128.
}
extern "C" __global__ void reduce_unrolled_256(const float* in, float* out, unsigned n) {
  // TODO call (1 line): call reduce_unrolled for blocks of 256.
}
extern "C" __global__ void reduce_unrolled_512(const float* in, float* out, unsigned n) {
  // TODO call (1 line): call reduce_unrolled for blocks of 512.
}
extern "C" __global__ void reduce_unrolled_1024(const float* in, float* out, unsigned n) {
  // TODO call (1 line): call reduce_unrolled for blocks of 1024.
}

/// out[b] = the sum of the elements that the threads of block b take, in steps of the whole grid.
extern "C" __global__ void block_sum_by_warps(const float* in, float* out, unsigned n) {
  // TODO load (about 2 lines): each thread adds up its elements, which are a whole grid of threads
  //      apart.

  // TODO warps (about 6 lines): each warp sums its own 32 values, in a part of `partial` that no
  //      other warp uses. Which barrier does that need? Then one lane of each warp stores its sum
  //      in `__shared__ float warp_sums[32]`: a block has up to 32 warps.

  // TODO first warp (about 4 lines): the first warp sums what the warps have stored. There may be
  //      fewer than 32 warps: what is in `warp_sums` after their sums? And who must wait for whom?

  // TODO store (1 line): one thread writes the block's sum to out[blockIdx.x].
}
