#pragma once
/// \file Chapter 1, the contract: what each kernel must do. The lesson is README.md.
///
/// What is common to all, down to NaN and the limits of a grid, stands at the end.

#include "common/harness/kernel.hpp"

/// Sums, in each block, blockDim.x neighbouring elements of `in`: block b writes to out[b] the sum of in[i]
/// for i from b * blockDim.x up to, not including, (b + 1) * blockDim.x. Elements at or past n do not exist;
/// they count as 0, the identity of addition, and must not be read. n may be anything, 0 included.
///
/// Launch: any number of blocks, so that there may be more than elements, or fewer than n needs (then the
/// rest is not summed); blockDim.x a power of two from 32 to 1024; blockDim.x floats of dynamic shared
/// memory, whose contents are unknown at the start. `in` has n elements, `out` has one for each block.
///
/// Technique: stage in shared memory, then a tree of adjacent pairs: at most log2(blockDim.x) + 1 block
/// barriers; each element read once, 32 neighbours a warp at a time; no thread adds more than 2 *
/// log2(blockDim.x) times (once a level is enough; one that adds more does the work of others). Which thread
/// adds a pair, and other strides than the adjacent ones, are the subject of chapters 2 and 3, and free here.
/// Book: PMPP 4th ed., fig. 10.11 (staging in shared memory), with the pairs of fig. 10.6.
WARPWISE_KERNEL(reduce_naive, (const float* in, float* out, unsigned n));

/// Sums values[0] to values[n - 1], where n = 2 * blockDim.x, and leaves the sum in values[0]. What the other
/// elements hold afterwards is up to the kernel.
///
/// Launch: one block; blockDim.x a power of two from 1 to 1024; no shared memory. Works in place, in global
/// memory.
///
/// Technique: thread t owns the element 2t and adds to it the one `stride` further on, for stride 1, 2, 4 ...
/// n/2: at most log2(n) block barriers, no thread adds more than 2 * log2(n) times. Other owners and strides
/// are free here, too. Book: PMPP 4th ed., fig. 10.6, the simple kernel.
WARPWISE_KERNEL(sum_in_place, (float* values));

/// Common to all: the grid has fewer than 2^32 threads. Floats are any: where the elements that are summed
/// hold a NaN, or infinities of both signs, the sum is NaN; with infinities of one sign it is that infinity;
/// a sum of zeros is a zero of either sign. Where partial sums overflow or round depends on the order, which
/// is the kernel's. Arrays that are `const` here are not written, not even by a cast; what a kernel writes it
/// does not read by __ldg, whose cache knows nothing of it. Kernels are written here: neither CUB nor Thrust
/// does their work. A barrier is __syncthreads(), or what cooperative groups make of it. No atomics (so no
/// cuda::barrier either, whose threads come to it by an atomic each and ask for its end over and over), no
/// shuffles (chapter 5).
