#pragma once
/// \file Chapter 2, the contract: what each kernel must do. The lesson is README.md.
///
/// What the end of chapter 1's kernels.hpp says of every kernel of the course holds here, too: which barriers
/// count, what a float may be, how large n is.
///
/// A divergent branch is one that some lanes of a warp take and some do not. It is a branch of the compiled
/// code, the PTX: a short `if` that the compiler has turned into a select is none. All limits on them apply
/// to full blocks, in which every thread has an element. Where the elements end inside a block, guards such
/// as `i < n` may cause up to 8 more, in the whole grid.
///
/// The three sums use no shuffles (chapter 5), no votes and no atomics. The other three kernels may use
/// them, as long as the result does not depend on which thread comes first.

#include "common/harness/device/kernel.hpp"

/// Each block sums blockDim.x neighbouring elements of `in`, as reduce_naive of chapter 1 does: block b
/// writes to out[b] the sum of in[i] for i from b * blockDim.x up to, but not including, (b + 1) *
/// blockDim.x. Elements at or past n do not exist: they count as 0 and must not be read. n can be anything,
/// including 0.
///
/// Launch: any number of blocks, which can be more than the elements need, or fewer; blockDim.x is a power of
/// two from 32 to 1024; blockDim.x floats of dynamic shared memory, whose contents are unknown at the start.
/// `in` has n elements, and `out` has one for each block.
///
/// Technique: the threads that add are neighbours, half as many in each level as in the one before. At most 6
/// divergent branches per block. Warps that have nothing to add stay idle: the warps of a block make at
/// most blockDim.x / 32 + 2 * (blockDim.x / 32 + 4) additions (each counted once for all lanes; the tree
/// takes blockDim.x / 32 + 4). With a select instead of the branch, all of them would stay at work. No thread
/// adds more than 2 * log2(blockDim.x) times: write a tree, not a loop in which some threads add up the
/// values of others. At most log2(blockDim.x) + 1 block barriers; each element is read once, 32 neighbours at
/// a time by a warp. You can choose which pairs a level adds. Book: PMPP 4th ed., section 10.4, for the idea.
/// Threads exchange values through shared memory: a block reads its elements from global memory, and nothing
/// else.
WARPWISE_KERNEL(reduce_contiguous, (const float* in, float* out, unsigned n));

/// Sums values[0] to values[n - 1], where n = 2 * blockDim.x, and leaves the sum in values[0]. The other
/// elements may hold anything afterwards.
///
/// Launch: one block; blockDim.x is a power of two from 1 to 1024; no shared memory. The kernel works in
/// place, in global memory.
///
/// Technique: thread t owns element t and adds to it the element `stride` further on, for stride n/2, n/4 ...
/// 1. At most one divergent branch for each stride below 32, and at most log2(n) block barriers; warps that
/// have nothing to add stay idle, and no thread adds more than 2 * log2(n) times, as in reduce_contiguous.
/// Within these limits, you can choose other owners and strides. Book: PMPP 4th ed., fig. 10.9, the
/// convergent kernel.
WARPWISE_KERNEL(sum_convergent, (float* values));

/// The mirror image of sum_convergent: the same sum, but in the last element, values[n - 1]. Launch and
/// technique are the same, but thread t owns element n/2 + t and adds to it the element `stride` before it.
/// Book: PMPP 4th ed., chapter 10, exercise 3.
WARPWISE_KERNEL(sum_convergent_mirrored, (float* values));

/// out[i] = stir(in[i]) for even i, shake(in[i]) for odd i (operations.hpp), for each i below n. n can be
/// anything, including 0.
///
/// Launch: at least ceil(n / blockDim.x) blocks; blockDim.x is a power of two from 64 to 1024; no dynamic
/// shared memory. You can choose which thread takes which element.
///
/// Technique: the condition is the same for all lanes of a warp. No divergent branch, and each warp runs one
/// of the two operations, once, on its share of the elements.
WARPWISE_KERNEL(alternate_by_warp, (const unsigned* in, unsigned* out, unsigned n));

/// Match i ended home_goals[i] : away_goals[i]. Adds to home_points[i] and away_points[i], which hold the
/// points so far: 3 to the side with more goals, or 1 to each side if they are equal, for each i below n. n
/// can be anything, including 0. Goals are from 0 to 1000; points are any int, before and afterwards.
///
/// Launch: at least ceil(n / blockDim.x) blocks; blockDim.x is a power of two from 32 to 1024; no dynamic
/// shared memory.
///
/// Technique: arithmetic instead of branches: no divergent branch. The warps divide the matches among them:
/// if all blocks are full, each warp reads between a quarter of an even share and twice an even share.
WARPWISE_KERNEL(score_matches, (const int* home_goals, const int* away_goals, int* home_points,
                                int* away_points, unsigned n));

/// Block b takes elements b * blockDim.x to (b + 1) * blockDim.x - 1 of `in` (only those below n) and writes
/// to the same places of `out` first stir(x) for each of them that is 0 or more, in their original order,
/// then shake(x) for each that is negative, also in order (operations.hpp; x can be any int, including
/// INT_MIN, and is converted to unsigned). n can be anything, including 0.
///
/// Launch: at least ceil(n / blockDim.x) blocks; blockDim.x is a power of two from 32 to 1024;
/// 2 * blockDim.x + 32 words of dynamic shared memory, whose contents are unknown at the start.
///
/// Technique: partition first, then make two passes in which no warp has elements of both kinds (or only one
/// of a block, which computes both and selects). No divergent branch. The warps of a block run an operation
/// at most blockDim.x / 32 + 1 times, instead of blockDim.x / 16, and no warp more than 3 times. No thread
/// reads a word of shared memory that was never written, even if its result is thrown away: fill the gap
/// between the groups.
WARPWISE_KERNEL(partition_by_sign, (const int* in, unsigned* out, unsigned n));
