#pragma once
/// \file Chapter 3, the contract: what each kernel must do. The lesson is README.md.
///
/// What the end of chapter 1's kernels.hpp says of every kernel of the course holds here, too: which barriers
/// count, what a float may be, how large n is.
///
/// Launch of the four reductions: any number of blocks, one or several hundred, which can be more than the
/// elements need, or fewer; blockDim.x is a power of two from 32 to 1024; blockDim.x floats of dynamic shared
/// memory, whose contents are unknown at the start. `in` has n elements, and `out` has one for each block,
/// which the block must write. n can be anything, including 0. Elements at or past n do not exist: they count
/// as the identity of the operator and must not be read.
///
/// Technique of the four: no bank conflicts; at most 6 divergent branches and at most log2(blockDim.x) + 1
/// block barriers per block; each element is read once, 32 neighbours at a time by a warp, or more with wider
/// loads (float2, float4), and half of the threads may take the others' elements, too. The limit on branches
/// applies if every thread of the grid has equally many elements; if not, guards such as `i < n` may cause up
/// to 8 more, in the whole grid. Write a tree: apart from combining its own elements, no thread adds more
/// than 2 * log2(blockDim.x) times, and warps that have nothing to add stay idle (apart from combining their
/// elements, the warps of a block make at most 2 * (blockDim.x / 32 + 4) additions, each counted once for all
/// lanes). Threads exchange values through shared memory, with a barrier between write and read: no shuffles
/// (chapter 5), votes or atomics. From global memory, a block reads its elements and nothing else.

#include "common/harness/device/kernel.hpp"

/// out[b] = the sum of in[i] for i from b * blockDim.x up to, but not including, (b + 1) * blockDim.x, as in
/// reduce_naive and reduce_contiguous.
///
/// Technique: strides blockDim.x / 2, blockDim.x / 4 ... 1; the threads below the stride add, or as many
/// other neighbours. Book: PMPP 4th ed., the strides of fig. 10.9 with the shared memory of fig. 10.11.
WARPWISE_KERNEL(reduce_sequential, (const float* in, float* out, unsigned n));

/// out[b] = the sum of in[i] for i from b * 2 * blockDim.x up to, but not including, (b + 1) * 2 *
/// blockDim.x. This takes half as many blocks as reduce_sequential.
///
/// Technique: each thread adds two elements while it loads them. Book: PMPP 4th ed., fig. 10.11, whose first
/// addition reads from global memory; section 10.8, coarsening by 2.
WARPWISE_KERNEL(reduce_first_add, (const float* in, float* out, unsigned n));

/// The blocks divide the n elements among them, each element once. You can choose how, and the size of the
/// grid does not depend on n. A block takes the elements that it loads. out[b] = the sum of the elements that
/// block b took (0 if it took none), so the sum of `out` is the sum of `in`.
///
/// Technique: 4 sectors for 32 elements, or 5 where they begin inside one; each thread adds up its elements
/// in registers, and then there is one tree. If there are 64 elements or more for each thread, every block
/// takes some, and at most twice an even share. If there are fewer, no thread takes more than four beyond an
/// even share (rounded up), or nothing would be left for other blocks. Book: PMPP 4th ed., fig. 10.15
/// (coarsening), for any n (exercise 5), with out[b] instead of the atomic.
WARPWISE_KERNEL(reduce_grid_stride, (const float* in, float* out, unsigned n));

/// The same with the operator max: out[b] = the largest of the elements that block b took, or -infinity if it
/// took none. No element is NaN; infinities are elements like any others; of +0 and -0, either counts as the
/// larger one.
///
/// Technique: the same. In particular, no branch depends on the values (chapter 2): max is an operation.
/// Book: PMPP 4th ed., chapter 10, exercise 4.
WARPWISE_KERNEL(reduce_max, (const float* in, float* out, unsigned n));

/// out[c] = the sum of column c, for each c below `columns`, which can be anything, including 0. A column is
/// 32 floats that are neighbours in memory: row r of column c is in[32 * c + r].
///
/// Launch: at least ceil(columns / 32) blocks of 32 threads, so one warp each; no dynamic shared memory: the
/// kernel declares the tile itself. Block b sums 32 columns, from column 32 * b on. Those at or past
/// `columns` do not exist: `in` has n = 32 * columns elements, so `columns` is at most 2^25.
///
/// Technique: each warp reads 32 neighbouring elements at a time, and each element once. So the tile of 32 *
/// 32 values goes through shared memory, without shuffles (chapter 5) and atomics. No bank conflicts, neither
/// on the way in nor on the way out. All lanes work: at most 126 wavefronts of shared memory per tile (32 in
/// and 32 out; a tree in the tile, which stores what it adds, takes 126), and no lane joins more than 48
/// times, for its one column of 32: a join makes one value of two.
WARPWISE_KERNEL(column_sums, (const float* in, float* out, unsigned columns));
