#pragma once
/// \file Chapter 4, the contract: what each kernel must do. The lesson is README.md.
///
/// Common to all: `in` has n elements, n may be anything, 0 included; elements at or past n count as 0 and
/// must not be read. Block b writes to out[b], and every block does. Shared memory holds anything at the
/// start. The threads of a warp may run in any order that CUDA allows: no kernel may count on lanes in step.
/// There may be any number of blocks: more than elements, or fewer than n needs.
///
/// The mask of a warp barrier names the lanes that come to it, and no others. CUDA lets it be where the
/// others have left the kernel by then; a reader of the code should not have to prove that.
///
/// A tree: beside its own elements no thread adds more than 2 * log2(values) times for a tree of so many
/// values, and warps that have nothing to add rest.
///
/// The grid has fewer than 2^32 threads. Floats are any: where the elements that are summed hold a NaN,
/// or infinities of both signs, the sum is NaN; with infinities of one sign it is that infinity; a sum of
/// zeros is a zero of either sign. Where partial sums overflow or round depends on the order, which is the
/// kernel's. Arrays that are `const` here are not written, not even by a cast; what a kernel writes it does
/// not read by __ldg, whose cache knows nothing of it. Kernels are written here: neither CUB nor Thrust does
/// their work.
///
/// The book: PMPP 4th ed. has neither the warp's own barrier nor unrolling in chapter 10; the tree is that of
/// its fig. 10.11.

#include "common/harness/device/kernel.hpp"

// One warp a block: blockDim.x is 32, no dynamic shared memory. out[b] = the sum of the 32 elements from
// 32 * b on. Technique of all three: the values lie in shared memory; a tree of pairs with the strides 16, 8,
// 4, 2, 1; no block barrier, no shuffle (chapter 5), no atomics.

/// With a condition a step: in the step with stride s, the lanes below s add. At most 6 warp barriers: one
/// after the load and one a step. At most 6 divergent branches: one a step and the store.
WARPWISE_KERNEL(warp_sum_step_condition, (const float* in, float* out, unsigned n));

/// With one condition around all five additions: the lanes below 16 add in every step. At most 11 warp
/// barriers: one after the load and two a step. At most 2 divergent branches: the condition and the store.
/// Afterwards the sum is in slot 0, and the slots 1 to 15 hold garbage.
WARPWISE_KERNEL(warp_sum_one_condition, (const float* in, float* out, unsigned n));

/// With no condition: all 32 lanes add in every step, and 16 zeros after the values let them, so the array
/// has 48 slots or more, and none is read that nobody has written. At most 12 warp barriers: two before the
/// additions (zeros, values) and two a step. At most 2 divergent branches: the zeros and the store. At least
/// 85 % of the lanes busy. Afterwards all slots but slot 0 hold garbage.
WARPWISE_KERNEL(warp_sum_padded, (const float* in, float* out, unsigned n));

// Two elements a thread, as in chapter 3: out[b] = the sum of the 2 * blockDim.x elements from
// 2 * blockDim.x * b on. blockDim.x floats of dynamic shared memory. Technique of all: a tree of pairs, no
// atomics; each element read once, 32 neighbours a warp at once; no bank conflicts; at most
// log2(blockDim.x) - 5 block barriers, one for a block of 32 and of 64.

/// Launch: blockDim.x a power of two from 32 to 1024.
WARPWISE_KERNEL(reduce_unroll_last_warp, (const float* in, float* out, unsigned n));

/// The same, each for the blockDim.x in its name: no loop is left (no branch leads backward), and fewer
/// warp instructions than reduce_unroll_last_warp of the same file takes, where that is right and has a loop.
/// unrolled.hpp chooses among them. The six are judged together, as reduce_unrolled_256.
WARPWISE_KERNEL(reduce_unrolled_32, (const float* in, float* out, unsigned n));
WARPWISE_KERNEL(reduce_unrolled_64, (const float* in, float* out, unsigned n));
WARPWISE_KERNEL(reduce_unrolled_128, (const float* in, float* out, unsigned n));
WARPWISE_KERNEL(reduce_unrolled_256, (const float* in, float* out, unsigned n));
WARPWISE_KERNEL(reduce_unrolled_512, (const float* in, float* out, unsigned n));
WARPWISE_KERNEL(reduce_unrolled_1024, (const float* in, float* out, unsigned n));

/// Any grid, any n: thread t of block b adds the elements from b * blockDim.x + t on that lie gridDim.x *
/// blockDim.x apart, and out[b] is the sum over the block's threads.
///
/// Launch: blockDim.x a power of two from 32 to 1024; blockDim.x floats of dynamic shared memory.
///
/// Technique: every warp reduces its own 32 sums, then the first warp the sums of the warps, each with a tree
/// of pairs, by barriers of the warp or by shuffles. At most 2 block barriers; each element read once; no
/// bank conflicts; no atomics.
WARPWISE_KERNEL(block_sum_by_warps, (const float* in, float* out, unsigned n));
