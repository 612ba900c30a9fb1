#pragma once
/// \file Chapter 3, the contract: what each kernel must do. The lesson is README.md.
///
/// Common to all: the grid has fewer than 2^32 threads. Floats are any: where the elements that are summed
/// hold a NaN, or infinities of both signs, the sum is NaN; with infinities of one sign it is that infinity;
/// a sum of zeros is a zero of either sign. Where partial sums overflow or round depends on the order, which
/// is the kernel's. Arrays that are `const` here are not written, not even by a cast; what a kernel writes it
/// does not read by __ldg, whose cache knows nothing of it. Kernels are written here: neither CUB nor Thrust
/// does their work.
///
/// Launch of the four reductions: any number of blocks, several hundred or one, more than elements or fewer
/// than n needs; blockDim.x a power of two from 32 to 1024; blockDim.x floats of dynamic shared memory, whose
/// contents are unknown at the start. `in` has n elements, `out` has one for each block, and each is written.
/// n may be anything, 0 included: elements at or past n do not exist, must not be read, and count as the
/// identity of the operator.
///
/// Technique of the four: no bank conflict; at most 6 divergent branches and log2(blockDim.x) + 1 block
/// barriers a block, counted on full blocks; each warp reads 32 neighbouring elements at a time, or more by
/// wider loads (float2, float4), and each element once. A tree: beside its own elements no thread adds more
/// than 2 * log2(blockDim.x) times, and warps that have nothing to add rest (together at most 2 * (blockDim.x
/// / 32 + 4) additions beside those of its elements by each warp, counted once for all lanes). No shuffles
/// (chapter 5: a barrier or two stand between write and read), no atomics. What threads hand to each other
/// goes through shared memory: of global memory a block reads its elements, and nothing else.

#include "common/harness/device/kernel.hpp"

/// out[b] = the sum of in[i] for i from b * blockDim.x up to, not including, (b + 1) * blockDim.x. (As
/// reduce_naive and reduce_contiguous.)
///
/// Technique: strides blockDim.x / 2, / 4 ... 1, and the threads below the stride add. Book: PMPP 4th ed.,
/// the strides of fig. 10.9, with the shared memory of fig. 10.11.
WARPWISE_KERNEL(reduce_sequential, (const float* in, float* out, unsigned n));

/// out[b] = the sum of in[i] for i from b * 2 * blockDim.x up to, not including, (b + 1) * 2 * blockDim.x:
/// half as many blocks as reduce_sequential needs.
///
/// Technique: each thread adds two elements while it loads them. Book: PMPP 4th ed., fig. 10.11, whose first
/// addition is made from global memory; section 10.8, coarsening by 2.
WARPWISE_KERNEL(reduce_first_add, (const float* in, float* out, unsigned n));

/// The blocks share the n elements out among themselves, each element once; how is up to the kernel, and the
/// size of the grid does not depend on n. out[b] = the sum of what block b took (0 if nothing), so that the
/// sum of `out` is the sum of `in`.
///
/// Technique: 4 sectors for 32 elements; each thread adds up its elements in a register (or in up to four),
/// then comes one tree. Where there are 64 elements or more for each thread, every block takes some, and at
/// most twice its share. Book: PMPP 4th ed., fig. 10.15 (coarsening), for any n (exercise 5), with out[b] in
/// place of the atomic.
WARPWISE_KERNEL(reduce_grid_stride, (const float* in, float* out, unsigned n));

/// The same with the operator max: out[b] = the largest of the elements that block b took, -infinity if it
/// took none. No element is NaN; infinities are elements like others; of +0 and -0 either is the larger one.
///
/// Technique: the same. That includes that no branch depends on the values (chapter 2): max is an operation.
/// Book: PMPP 4th ed., chapter 10, exercise 4.
WARPWISE_KERNEL(reduce_max, (const float* in, float* out, unsigned n));

/// out[c] = the sum of column c, for each c below `columns`, which may be anything, 0 included. A column is
/// 32 floats, and they lie side by side: row r of column c is in[32 * c + r].
///
/// Launch: at least ceil(columns / 32) blocks, of 32 threads, a warp each; no dynamic shared memory: the tile
/// is the kernel's own. Block b sums the columns from 32 * b on; those at or past `columns` do not exist.
///
/// Technique: each warp reads 32 neighbouring elements at a time, each element once, so the tile of 32 * 32
/// values goes through shared memory, without shuffles (chapter 5); no bank conflict, neither on the way in
/// nor on the way out. All lanes work: at most 126 wavefronts of shared memory for a tile (32 in, 32 out; a
/// tree in the tile, which stores what it adds, takes 126), and no lane adds more than 64 times, for its one
/// column of 32.
WARPWISE_KERNEL(column_sums, (const float* in, float* out, unsigned columns));
