// Chapter 4: the last warp needs no block barrier. README.md is the lesson; kernels.hpp says what each kernel
// must do.

#include "kernels.hpp"

[[maybe_unused]] constexpr unsigned lower_half = 0x0000ffffu;  // a mask that names the lanes 0 to 15

extern __shared__ float partial[];  // dynamic: blockDim.x floats, shared by the threads of a block

/// The element `i` of `in`, or the identity of addition where there is none. Given.
__device__ float element(const float* in, unsigned i, unsigned n) { return i < n ? in[i] : 0.0f; }

/// The sum of the two elements of this thread, `block` apart, as in chapter 3. Given.
__device__ float two_elements(const float* in, unsigned n, unsigned block) {
  const unsigned i = 2 * block * blockIdx.x + threadIdx.x;
  return element(in, i, n) + element(in, i + block, n);
}

/// values[0] = the sum of values[0] to values[31], by the lanes of one warp: all of them call this, those
/// below 16 work. Whoever wrote the 32 values has been waited for. Leaves garbage in values[1] to [15].
__device__ void sum_of_32(float* values, unsigned lane) {
  // TODO one condition (about 6 lines): the lanes below 16 do five steps, with stride 16, 8, 4, 2,
  //      1. In each, a lane reads its own slot and the one `stride` further on; waits; writes the
  //      sum to its own slot; waits. To wait is __syncwarp(lower_half): the lanes from 16 on are
  //      not here. Which race does each of the two prevent?
}

/// out[b] = the sum of the 32 elements of block b; a condition a step.
extern "C" __global__ void warp_sum_step_condition(const float* in, float* out, unsigned n) {
  // TODO load (about 4 lines): `__shared__ float values[32]` has a slot for each lane. Each stores
  //      its element there (see `element`); then the warp waits, with __syncwarp().

  // TODO tree (about 4 lines): for stride 16, 8, 4, 2, 1 the lanes below `stride` add the value
  //      `stride` further on to their own. Where does the barrier of a step stand, and why is one
  //      enough?

  // TODO store (1 line): one thread writes the block's sum to out[blockIdx.x].
}

/// out[b] = the sum of the 32 elements of block b; one condition around all five additions.
extern "C" __global__ void warp_sum_one_condition(const float* in, float* out, unsigned n) {
  // TODO (about 6 lines): load as in warp_sum_step_condition; sum_of_32; store. The work is in
  //      sum_of_32, above.
}

/// out[b] = the sum of the 32 elements of block b; no condition, but zeros behind the values.
extern "C" __global__ void warp_sum_padded(const float* in, float* out, unsigned n) {
  // TODO load (about 5 lines): `__shared__ float values[32 + 16]`: the elements go to the first 32
  //      slots, zeros to the 16 behind them. Then a barrier.

  // TODO tree (about 6 lines): the five steps of sum_of_32, by all 32 lanes. What does lane 31
  //      read?

  // TODO store (1 line): one thread writes the block's sum to out[blockIdx.x].
}

/// out[b] = the sum of the 2 * blockDim.x elements of block b.
extern "C" __global__ void reduce_unroll_last_warp(const float* in, float* out, unsigned n) {
  // TODO load (about 3 lines): `partial` gets the sum of each thread's two elements (see
  //      `two_elements`); a barrier.

  // TODO block levels (about 4 lines): the tree with strides blockDim.x / 2, half of it ... while
  //      more than 32 threads add: each level with its block barrier.

  // TODO last warp (about 7 lines): threads 0 to 31 add what lies 32 further on, one step with one
  //      __syncwarp(), and then call sum_of_32. Which blocks have no slot 32?

  // TODO store (1 line): one thread writes the block's sum to out[blockIdx.x].
}

/// out[b] = the sum of the 2 * block elements of block b, for blocks of exactly `block` threads.
template <unsigned block>
__device__ void reduce_unrolled(const float* in, float* out, unsigned n) {
  // TODO unroll (about 14 lines): reduce_unroll_last_warp with `block` for blockDim.x, so that the
  //      compiler knows how many levels there are. `#pragma unroll` in front of a loop asks it to
  //      write the loop out. What can `if constexpr` do for the block of 32?
}

// A template becomes code where somebody names its argument. These kernels do, and unlike the template they
// have names that a host can ask for.
extern "C" __global__ void reduce_unrolled_32(const float* in, float* out, unsigned n) {
  // TODO call (1 line): reduce_unrolled for blocks of 32.
}
extern "C" __global__ void reduce_unrolled_64(const float* in, float* out, unsigned n) {
  // TODO call (1 line): reduce_unrolled for blocks of 64.
}
extern "C" __global__ void reduce_unrolled_128(const float* in, float* out, unsigned n) {
  // TODO call (1 line): reduce_unrolled for blocks of 128.
}
extern "C" __global__ void reduce_unrolled_256(const float* in, float* out, unsigned n) {
  // TODO call (1 line): reduce_unrolled for blocks of 256.
}
extern "C" __global__ void reduce_unrolled_512(const float* in, float* out, unsigned n) {
  // TODO call (1 line): reduce_unrolled for blocks of 512.
}
extern "C" __global__ void reduce_unrolled_1024(const float* in, float* out, unsigned n) {
  // TODO call (1 line): reduce_unrolled for blocks of 1024.
}

/// out[b] = the sum of the elements that the threads of block b come by, in steps of the whole grid.
extern "C" __global__ void block_sum_by_warps(const float* in, float* out, unsigned n) {
  // TODO load (about 2 lines): each thread adds up the elements that lie a whole grid of threads
  //      apart.

  // TODO warps (about 6 lines): each warp sums its own 32 values, in a part of `partial` where no
  //      other warp comes. Which barrier does that need? Then one lane of each warp stores its sum
  //      in `__shared__ float warp_sums[32]`: a block has up to 32 warps.

  // TODO first warp (about 4 lines): it sums what the warps have stored. There may be fewer than 32
  //      of them: what is in `warp_sums` behind their sums? And who has to wait for whom?

  // TODO store (1 line): one thread writes the block's sum to out[blockIdx.x].
}
