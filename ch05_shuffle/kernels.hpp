#pragma once
/// \file Chapter 5, the contract: what each kernel must do. The lesson is README.md.
///
/// Unless a kernel says otherwise: any number of blocks; blockDim.x a power of two from 32 to 1024; no
/// dynamic shared memory. "Warp w" counts through the grid: w = (blockIdx.x * blockDim.x + threadIdx.x) / 32.
/// An array begins at any address that is right for one of its elements. What is `const` stays as it is.
///
/// Sums and products: an infinity or NaN goes through as float addition and multiplication have it; an
/// element that is not there changes nothing, whatever stands beside it. Maximum and minimum: NaN loses
/// against every number (what a warp of NaN alone gives is open). -0 and +0 are equal, and either may come
/// out.
///
/// The kernels are written here, not called: cub:: and thrust:: are told as such.

#include "common/harness/device/kernel.hpp"

// The four shuffles. `in` and `out` have one element for each thread of the grid; element i belongs to
// thread i. Technique of the first three: one shuffle a warp and no shared memory; each warp reads its 32
// elements once.

/// out[i] = the element of lane `source` (0 to 31) of the same warp.
WARPWISE_KERNEL(broadcast, (const float* in, float* out, unsigned source));

/// out[i] = the element of the lane `distance` (0 to 31) below, in the same warp; the lanes that have none
/// below them (lane < distance) keep their own.
WARPWISE_KERNEL(shift_up, (const float* in, float* out, unsigned distance));

/// out[i] = the element of the lane `distance` (0 to 31) above, in the same warp; the lanes that have none
/// above them (lane + distance > 31) keep their own.
WARPWISE_KERNEL(shift_down, (const float* in, float* out, unsigned distance));

/// out[i] = the sum of the 32 elements of the warp, in every lane.
/// Technique: five shuffles a warp, no shared memory.
WARPWISE_KERNEL(butterfly_sum, (const float* in, float* out));

// One value a warp: out[w] = the reduction of in[32 * w] to in[32 * w + 31]. `in` has n elements, n may be
// anything; those at or past n must not be read and count as the identity of the operator. `out` has one
// element for each warp of the grid, and each is written. Operators and identities: operators.hpp.
// Technique: at most five shuffles a warp (none where votes do it), no shared memory, no atomics, one load in
// each warp, at its own 32 elements.

WARPWISE_KERNEL(warp_reduce_sum, (const float* in, float* out, unsigned n));
WARPWISE_KERNEL(warp_reduce_product, (const float* in, float* out, unsigned n));
WARPWISE_KERNEL(warp_reduce_max, (const float* in, float* out, unsigned n));
WARPWISE_KERNEL(warp_reduce_min, (const float* in, float* out, unsigned n));
/// Logical: every word but 0 is true; the result is 1 or 0.
WARPWISE_KERNEL(warp_reduce_and, (const unsigned* in, unsigned* out, unsigned n));
WARPWISE_KERNEL(warp_reduce_or, (const unsigned* in, unsigned* out, unsigned n));
/// Bit by bit.
WARPWISE_KERNEL(warp_reduce_bit_and, (const unsigned* in, unsigned* out, unsigned n));
WARPWISE_KERNEL(warp_reduce_bit_or, (const unsigned* in, unsigned* out, unsigned n));

// One value a block. The blocks share the n elements out among themselves, each element once, with a
// grid-stride loop: how is up to the kernel, as long as a warp reads 32 neighbours at a time. n may be
// anything, 0 included, and does not depend on the size of the grid.
// Technique: sums of warps by shuffle, at most 32 words of shared memory (argmax: 64), one block barrier.
// What the warps have found, at most 32 values, is put together in any way: by shuffles again, or one by one,
// by one thread or by all. Where n is large (64 elements a thread), the warps of all blocks have about the
// same share: none less than a quarter of an even one, none more than twice as much. Book: PMPP 4th ed.,
// fig. 10.15 (coarsening); shuffles are not in that chapter.

/// out[b] = the sum of the elements that block b took; the sum of all out[b] is the sum of `in`.
WARPWISE_KERNEL(reduce_shuffle, (const float* in, float* out, unsigned n));

/// Adds the sum of all elements to *total, which the caller has set to what the sum shall start from.
/// Technique: also at most one atomic operation a block. Book: PMPP 4th ed., fig. 10.13 (segmented) ends so.
WARPWISE_KERNEL(reduce_atomic, (const float* in, float* total, unsigned n));

/// value[b], index[b] = the largest of the elements that block b took, and its index in `in`. Of equal values
/// the one with the lowest index, and its value: -0 and +0 are equal. NaN is never the largest. A block
/// without an element that is a number gives -infinity and the index 0xffffffff.
WARPWISE_KERNEL(reduce_argmax, (const float* in, float* value, unsigned* index, unsigned n));

/// out[b] = the sum of a[i] * b[i] over the elements that block b took.
WARPWISE_KERNEL(dot_product, (const float* a, const float* b, float* out, unsigned n));

// To the roof, in three steps. Launch: any number of blocks of roof_threads threads. Technique of all three:
// 16-byte loads, at least two for each branch, so that several are on their way before the first is waited
// for; each element is read once. What one load of a warp touches lies within 4096 bytes: neighbouring lanes
// load neighbours, or each lane a few float4 in a row. At most 3 warp instructions for 32 elements at
// n = 2^22. Where n is large (2^17 elements a block), the warps of all blocks have about the same share, as
// above.

/// First step: whole tiles. `in` has `tiles` * 4 * roof_threads * roof_loads elements and begins at a
/// multiple of 16 bytes. out[i] = the sum of the elements that thread i took, for each thread of the grid; 0
/// where it took none. The sum of all out[i] is the sum of `in`. Technique: also no shuffle, no shared
/// memory.
WARPWISE_KERNEL(sum_tiles, (const float* in, float* out, unsigned tiles));

/// Second step: any n, and any place. As sum_tiles, for the n elements of an `in` that may start at any
/// float, so it is 4-byte aligned and no more.
WARPWISE_KERNEL(sum_wide, (const float* in, float* out, unsigned n));

/// Third step: *out = the sum of all n elements, in one launch, at the speed of the memory. `in` as in
/// sum_wide; *out is not set before.
///
/// Launch: roof.hpp sizes the grid from the device, but any grid must do, and any order of its blocks: none
/// may wait for one that has not drawn its ticket yet, for that may not have begun. `partials` has a float
/// for each block, contents unknown. *ticket is 0 at the start and must be 0 again at the end, for the next
/// launch.
///
/// Technique: also at most 8 block barriers. How the last block adds the partial sums is open.
WARPWISE_KERNEL(reduce_to_the_roof,
                (const float* in, float* out, unsigned n, float* partials, unsigned* ticket));

namespace warpwise::ch05 {
constexpr unsigned roof_threads = 512;  ///< blockDim.x of reduce_to_the_roof
constexpr unsigned roof_loads = 4;      ///< 16-byte loads that a thread has in flight
}  // namespace warpwise::ch05
