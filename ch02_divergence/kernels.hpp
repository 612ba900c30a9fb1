#pragma once
/// \file Chapter 2, the contract: what each kernel must do. The lesson is README.md.
///
/// Common to all: the grid has fewer than 2^32 threads. Floats are any: where the elements that are summed
/// hold a NaN, or infinities of both signs, the sum is NaN; with infinities of one sign it is that infinity;
/// a sum of zeros is a zero of either sign. Where partial sums overflow or round depends on the order, which
/// is the kernel's. Arrays that are `const` here are not written, not even by a cast; what a kernel writes it
/// does not read by __ldg, whose cache knows nothing of it. Kernels are written here: neither CUB nor Thrust
/// does their work.
///
/// A divergent branch is one that some lanes of a warp take and some do not. All limits on them are for full
/// blocks: in the last warp that has elements, the guard `i < n` may split once more.

#include "common/harness/kernel.hpp"

/// Sums, in each block, blockDim.x neighbouring elements of `in`: block b writes to out[b] the sum of in[i]
/// for i from b * blockDim.x up to, not including, (b + 1) * blockDim.x. Elements at or past n do not exist;
/// they count as 0 and must not be read. n may be anything, 0 included. (As reduce_naive of chapter 1.)
///
/// Launch: any number of blocks, more than elements or fewer than n needs; blockDim.x a power of two from 32
/// to 1024; blockDim.x floats of dynamic shared memory, whose contents are unknown at the start. `in` has n
/// elements, `out` has one for each block.
///
/// Technique: the threads that add are neighbours, in each level half as many as before: at most 6 divergent
/// branches a block, and warps that have nothing to add rest, so that the warps of a block make at most
/// blockDim.x / 32 + 2 * (blockDim.x / 32 + 4) additions (each counted once for all lanes; the tree takes
/// blockDim.x / 32 + 4). A select in place of the branch keeps them all at work. No thread adds more than 2 *
/// log2(blockDim.x) times: a tree, not a loop of some threads over the values of others. At most
/// log2(blockDim.x) + 1 block barriers; each element read once, 32 neighbours a warp at a time; no shuffles
/// (chapter 5), no atomics. Which pairs a level adds is free. Book: PMPP 4th ed., section 10.4, for the idea.
WARPWISE_KERNEL(reduce_contiguous, (const float* in, float* out, unsigned n));

/// out[i] = stir(in[i]) for even i, shake(in[i]) for odd i (operations.hpp), for each i below n. n may be
/// anything, 0 included.
///
/// Launch: at least ceil(n / blockDim.x) blocks; blockDim.x a power of two from 64 to 1024; no dynamic shared
/// memory. Block b writes its stretch of blockDim.x elements of `out`; which thread takes which of them is
/// free.
///
/// Technique: the condition is the same for all lanes of a warp: no divergent branch, and each warp runs one
/// of the two operations, once, on its share of the elements.
WARPWISE_KERNEL(alternate_by_warp, (const unsigned* in, unsigned* out, unsigned n));

/// Match i ended home_goals[i] : away_goals[i]. Adds to home_points[i] and away_points[i], which hold the
/// points so far: 3 to the side with more goals, 1 to each where they are equal, else nothing. i below n; n
/// may be anything, 0 included. Goals are from 0 to 1000, points any int (also afterwards).
///
/// Launch: at least ceil(n / blockDim.x) blocks; blockDim.x a power of two from 32 to 1024; no dynamic shared
/// memory.
///
/// Technique: arithmetic in place of branches: no divergent branch. The warps share the matches out: where
/// all blocks are full, each reads between a quarter of an even share and twice as much.
WARPWISE_KERNEL(score_matches, (const int* home_goals, const int* away_goals, int* home_points,
                                int* away_points, unsigned n));

/// Block b takes its stretch of blockDim.x elements of `in` (fewer at the end: those below n) and writes to
/// the same stretch of `out` first stir(x) for each of them that is 0 or more, in the order in which they
/// stand, then shake(x) for each that is negative, also in order (operations.hpp; x, any int, INT_MIN
/// included, is converted to unsigned). n may be anything, 0 included.
///
/// Launch: at least ceil(n / blockDim.x) blocks; blockDim.x a power of two from 32 to 1024;
/// 2 * blockDim.x + 32 words of dynamic shared memory, whose contents are unknown at the start.
///
/// Technique: partition first, then two passes in which no warp has elements of both kinds: no divergent
/// branch, and at most blockDim.x / 32 + 1 runs of an operation by a warp, in place of blockDim.x / 16, of
/// which no warp has more than 3. No thread reads a word of shared memory that nobody has written, even if
/// what it makes of it is thrown away: what lies between the groups is filled.
WARPWISE_KERNEL(partition_by_sign, (const int* in, unsigned* out, unsigned n));

/// Sums values[0] to values[n - 1], where n = 2 * blockDim.x, and leaves the sum in values[0]. What the other
/// elements hold afterwards is up to the kernel.
///
/// Launch: one block; blockDim.x a power of two from 1 to 1024; no shared memory. Works in place, in global
/// memory.
///
/// Technique: thread t owns the element t and adds to it the one `stride` further on, for stride n/2, n/4 ...
/// 1: at most one divergent branch for each stride below 32, and log2(n) block barriers; warps that have
/// nothing to add rest, and no thread adds more than 2 * log2(n) times, as in reduce_contiguous; no shuffles,
/// no atomics. Book: PMPP 4th ed., fig. 10.9, the convergent kernel.
WARPWISE_KERNEL(sum_convergent, (float* values));

/// The mirror image of sum_convergent: the same sum, but left in the last element, values[n - 1]. Launch and
/// technique as there; thread t owns the element n/2 + t and adds to it the one `stride` before it. Book:
/// PMPP 4th ed., chapter 10, exercise 3.
WARPWISE_KERNEL(sum_convergent_mirrored, (float* values));
