#pragma once
/// \file Chapter 1, the contract: what each kernel must do. The lesson is README.md.
///
/// What applies to every kernel of the course, such as which barriers count and what a float may be, is at
/// the end.

#include "common/harness/device/kernel.hpp"

/// Each block sums blockDim.x neighbouring elements of `in`: block b writes to out[b] the sum of in[i] for i
/// from b * blockDim.x up to, but not including, (b + 1) * blockDim.x. Elements at or past n do not exist:
/// they count as 0, the identity of addition, and must not be read. n can be anything, including 0.
///
/// Launch: any number of blocks, which can be more than the elements need, or fewer (then the rest of the
/// elements are not summed); blockDim.x is a power of two from 32 to 1024; blockDim.x floats of dynamic
/// shared memory, whose contents are unknown at the start. `in` has n elements, and `out` has one for each
/// block.
///
/// Technique: stage in shared memory, then a tree of adjacent pairs. At most log2(blockDim.x) + 1 block
/// barriers; each element is read once, 32 neighbours at a time by a warp; no thread adds more than 2 *
/// log2(blockDim.x) times (once per level is enough; a thread that adds more does other threads' work). You
/// can choose which thread adds a pair, and use other strides: chapters 2 and 3 are about these choices.
/// Book: PMPP 4th ed., fig. 10.11 (staging in shared memory), with the pairs of fig. 10.6.
WARPWISE_KERNEL(reduce_naive, (const float* in, float* out, unsigned n));

/// Sums values[0] to values[n - 1], where n = 2 * blockDim.x, and leaves the sum in values[0]. The other
/// elements may hold anything afterwards.
///
/// Launch: one block; blockDim.x is a power of two from 1 to 1024; no shared memory. The kernel works in
/// place, in global memory.
///
/// Technique: thread t owns element 2t and adds to it the element `stride` further on, for stride 1, 2, 4 ...
/// n/2. At most log2(n) block barriers, and no thread adds more than 2 * log2(n) times. Here, too, you can
/// choose other owners and strides. Book: PMPP 4th ed., fig. 10.6, the simple kernel.
WARPWISE_KERNEL(sum_in_place, (float* values));

/// Both kernels: no atomics (and so no cuda::barrier, at which each thread arrives with an atomic and then
/// polls for its completion), no shuffles and no votes (chapter 5).
///
/// Every kernel of the course, unless its own contract says otherwise:
///
/// - Sizes: n is at most 2^30, and the grid has at most 2^30 threads. So `unsigned` holds every index, even
///   one that is two or three steps of the grid past the end.
/// - Arrays begin where cudaMalloc puts them, at a multiple of 256 bytes: wide loads such as float4 are fine.
///   Behind them the last few elements may be loaded by themselves.
///   Do not write to arrays that are `const` here, not even through a cast, and do not read with __ldg what
///   the kernel writes, because its cache does not see the new value.
/// - Races are findings (docs/findings.md says what is one). Threads that write equal values to one place are
///   none: whichever comes last, the same is there.
/// - Shared memory: where some is allowed, a kernel may also declare its own, __shared__ float tile[32]. A
///   word that was never written may be read, but nothing may depend on it.
/// - Barriers: a block barrier is __syncthreads(), or its equivalent in cooperative groups. Where a value
///   only goes from one thread to another of the same warp, __syncwarp() is enough (chapter 4). It is not
///   counted as a block barrier. The threads of a block wait for one another at barriers: none reads memory
///   again and again until another has written it.
/// - Trees: a thread may add two values in a level, or a few more, such as four. Then there are fewer levels.
///   No value goes through more additions than a thread may make: threads that wait for one another in turn
///   are no tree. An addition is whatever makes one value of two. What the threads read, add and wait for is
///   the same whatever the elements are.
/// - Limits say "at most". If you need less, all the better.
/// - Neighbours: what counts is how many requests and sectors reads take, and how many warps a level keeps at
///   work. A warp that reads whole sectors, 8 neighbours each, from several places takes no more of them than
///   by 32 neighbours, and other whole warps than the first ones may be those that add.
/// - Floats can have any value: if the summed elements contain a NaN, or infinities of both signs, the sum is
///   NaN; if they contain infinities of one sign, it is that infinity; a sum of zeros is a zero of either
///   sign; denormal numbers count, they are not 0. Where partial sums overflow or round depends on the order
///   of additions, which the kernel chooses. In no order is a sum of m floats wrong by more than (m - 1) *
///   2^-24 times the sum of their magnitudes, and that is how much is allowed.
/// - Write the kernels yourself, without CUB or Thrust.
