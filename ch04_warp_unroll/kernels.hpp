#pragma once
/// \file Chapter 4, the contract: what each kernel must do. The lesson is README.md.
///
/// All kernels: `in` has n elements, where n can be anything, including 0. Elements at or past n do not
/// exist: they count as 0 and must not be read. Block b writes to out[b], and every block does. The contents
/// of shared memory are unknown at the start. The threads of a warp can run in any order that CUDA allows: do
/// not rely on lanes being in step. There can be any number of blocks, more than the elements need, or fewer.
///
/// The mask of a warp barrier names the lanes that reach it, and no others. CUDA also allows it to name
/// lanes that have left the kernel by then, but a reader of the code should not have to prove that they have.
/// Write it as a number, such as 0xffff: there are no votes (__ballot_sync) in this chapter. The threads of a
/// block, or of a warp, wait for one another at barriers: none reads memory again and again until another has
/// written it.
///
/// Write trees of pairs: apart from adding up its own elements, no thread adds more than 2 * log2(values)
/// times in a tree of that many values, and no value goes through more than 1.5 * log2(values) additions. So
/// a step may add four values, which takes the place of two. Warps that have nothing to add stay idle. What
/// the threads read, add and wait for is the same whatever the elements are.
///
/// The grid has at most 2^30 threads. Floats can have any value: if the summed elements contain a NaN, or
/// infinities of both signs, the sum is NaN; if they contain infinities of one sign, it is that infinity; a
/// sum of zeros is a zero of either sign. Where partial sums overflow or round depends on the order of
/// additions, which the kernel chooses. Do not write to arrays that are `const` here, not even through a
/// cast, and do not read with __ldg what the kernel writes, because its cache does not see the new value.
/// Write the kernels yourself, without CUB or Thrust.
///
/// The book: chapter 10 of PMPP, 4th ed., has neither the warp's own barrier nor unrolling. The tree is the
/// one of its fig. 10.11.

#include "common/harness/device/kernel.hpp"

// Blocks of one warp: blockDim.x is 32; no dynamic shared memory. out[b] = the sum of the 32 elements from
// 32 * b on. Technique of all three: the values are in shared memory; a tree of pairs with strides 16, 8, 4,
// 2 and 1; no block barriers, no shuffles (chapter 5), votes or atomics. As many other lanes may add, and the
// strides may come in another order.

/// With a condition in each step: in the step with stride s, the lanes below s add. At most 6 warp barriers:
/// one after the load and one in each step. At most 6 divergent branches: one in each step, and the store.
WARPWISE_KERNEL(warp_sum_step_condition, (const float* in, float* out, unsigned n));

/// With one condition around all five additions: the lanes below 16 add in every step. At most 11 warp
/// barriers: one after the load and two in each step. At most 2 divergent branches: the condition, and the
/// store. Afterwards the sum is in slot 0, and slots 1 to 15 hold garbage.
WARPWISE_KERNEL(warp_sum_one_condition, (const float* in, float* out, unsigned n));

/// Without a condition: all 32 lanes add in every step. To make that possible, 16 zeros follow the values, so
/// the array has 48 slots or more, and no slot is read that was never written. At most 12 warp barriers: two
/// before the additions (zeros, values) and two in each step. At most 2 divergent branches: the zeros, and
/// the store. At least 85 % of the lanes busy. Afterwards all slots except slot 0 hold garbage.
WARPWISE_KERNEL(warp_sum_padded, (const float* in, float* out, unsigned n));

// Two elements per thread, as in chapter 3: out[b] = the sum of the 2 * blockDim.x elements from
// 2 * blockDim.x * b on. blockDim.x floats of dynamic shared memory. Technique of all: a tree of pairs, no
// atomics; each element is read once, 32 neighbours at a time by a warp; no bank conflicts; at most
// log2(blockDim.x) - 5 block barriers, or one for blocks of 32 and of 64. Each level has half as many adding
// threads as the one before, and the last warp, which is left in the end, may use shuffles (chapter 5) or
// barriers of the warp. (In block_sum_by_warps every warp has a tree of its own.)

/// Launch: blockDim.x is a power of two from 32 to 1024.
WARPWISE_KERNEL(reduce_unroll_last_warp, (const float* in, float* out, unsigned n));

/// The same, each for the blockDim.x in its name. No loop is left (no backward branch), and each takes
/// fewer warp instructions than reduce_unroll_last_warp of the same file, if that is right and has a loop.
/// unrolled.hpp chooses among them. The six are judged together, as reduce_unrolled_256.
WARPWISE_KERNEL(reduce_unrolled_32, (const float* in, float* out, unsigned n));
WARPWISE_KERNEL(reduce_unrolled_64, (const float* in, float* out, unsigned n));
WARPWISE_KERNEL(reduce_unrolled_128, (const float* in, float* out, unsigned n));
WARPWISE_KERNEL(reduce_unrolled_256, (const float* in, float* out, unsigned n));
WARPWISE_KERNEL(reduce_unrolled_512, (const float* in, float* out, unsigned n));
WARPWISE_KERNEL(reduce_unrolled_1024, (const float* in, float* out, unsigned n));

/// Any grid, any n: thread t of block b adds the elements from b * blockDim.x + t on that are gridDim.x *
/// blockDim.x apart, and out[b] is the sum over the block's threads.
/// The threads of a block may share its elements out among them in another way.
///
/// Launch: blockDim.x is a power of two from 32 to 1024; blockDim.x floats of dynamic shared memory.
///
/// Technique: every warp reduces its own 32 sums, and then a warp (or each for itself: they have nothing else
/// to do) reduces the sums of the warps, each with a tree of pairs, using barriers of the warp or shuffles.
/// At most 2 block barriers; each element is read once; no bank conflicts; no atomics.
WARPWISE_KERNEL(block_sum_by_warps, (const float* in, float* out, unsigned n));
