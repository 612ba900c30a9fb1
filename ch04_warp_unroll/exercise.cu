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
  // TODO one condition (about 6 lines): no lane writes a slot before the others have read it, and none
  //      reads one before it is written. Only lanes that reach a wait are named in it. Which race does
  //      each of the two waits of a step prevent?
}

/// out[b] = the sum of the 32 elements of block b, with a condition in each step.
extern "C" __global__ void warp_sum_step_condition(const float* in, float* out, unsigned n) {
  // TODO sum (about 9 lines, with `element`): each step's sums are complete before a lane reads them,
  //      and all 32 lanes reach every __syncwarp(). Where does each step's barrier go, and why is one
  //      enough?
}

/// out[b] = the sum of the 32 elements of block b, with one condition around all five additions.
extern "C" __global__ void warp_sum_one_condition(const float* in, float* out, unsigned n) {
  // TODO sum (about 6 lines, with `element`): the work is done in sum_of_32, above.
}

/// out[b] = the sum of the 32 elements of block b, with no condition, but zeros after the values.
extern "C" __global__ void warp_sum_padded(const float* in, float* out, unsigned n) {
  // TODO sum (about 12 lines, with `element`): all 32 lanes add in each step, and what they read was
  //      written before. What does lane 31 read?
}

/// out[b] = the sum of the 2 * blockDim.x elements of block b.
extern "C" __global__ void reduce_unroll_last_warp(const float* in, float* out, unsigned n) {
  // TODO block levels (about 8 lines, with `two_elements`): the whole block waits only as long as more
  //      than 32 threads add.

  // TODO last warp (about 8 lines, with sum_of_32): from then on, one warp works, and only it waits. It
  //      reads no slot that the block does not have: which blocks have no slot 32?
}

/// out[b] = the sum of the 2 * block elements of block b, for blocks of exactly `block` threads.
template <unsigned block>
__device__ void reduce_unrolled(const float* in, float* out, unsigned n) {
  // TODO unroll (about 14 lines): what reduce_unroll_last_warp does, but no loop is left in the PTX. What
  //      can `if constexpr` do for a block of 32?
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
  // TODO warps (about 8 lines, with sum_of_32): each warp sums the elements of its threads where no other
  //      warp writes. Which barrier does that need?

  // TODO first warp (about 5 lines): it adds one sum for each warp, and nothing that was never written.
  //      What is in the slots of warps that the block does not have, and who must wait for whom?
}
