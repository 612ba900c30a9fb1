#pragma once
/// \file Chapter 5, the contract: what each kernel must do. The lesson is README.md.
///
/// Unless a kernel says otherwise: any number of blocks, but at most 2^30 threads and at most 2^30 elements;
/// blockDim.x is a power of two from 32 to 1024; no dynamic shared memory. Warps are numbered across the
/// whole grid: this thread is in warp w = (blockIdx.x * blockDim.x + threadIdx.x) / 32. An array can begin at
/// any address that is aligned for one of its elements. Do not write to arrays that are `const` here, and
/// read nothing outside of an array, not even to drop it.
///
/// Masks: the mask of a shuffle, vote or match names the lanes that make the call, and no others. Lanes that
/// have returned do not make it, so no kernel returns in some lanes and then names all 32.
/// The threads of a block wait for one another at barriers: none reads memory again and again until another
/// of the block has written it.
///
/// Sums and products: infinities and NaN behave as they do in float addition and multiplication, and an
/// element that does not exist changes nothing, whatever the others are. Maximum and minimum: NaN loses
/// against every number (if all elements of a warp are NaN, the result may be anything). -0 and +0 count as
/// equal, and a result that is zero may be either.
///
/// Write the kernels yourself, without CUB or Thrust.

#include "common/harness/device/kernel.hpp"

// The four shuffles. `in` and `out` have one element for each thread of the grid, and element i belongs to
// thread i. The first three move elements bit for bit: -0 stays -0, and a NaN keeps its bits. Technique of
// the three: one shuffle per warp and no shared memory; each warp reads its 32 elements once.

/// out[i] = the element of lane `source` (0 to 31) of the same warp.
WARPWISE_KERNEL(broadcast, (const float* in, float* out, unsigned source));

/// out[i] = the element of the lane `distance` (0 to 31) below, in the same warp. Lanes without a lane that
/// far below (lane < distance) keep their own element.
WARPWISE_KERNEL(shift_up, (const float* in, float* out, unsigned distance));

/// out[i] = the element of the lane `distance` (0 to 31) above, in the same warp. Lanes without a lane that
/// far above (lane + distance > 31) keep their own element.
WARPWISE_KERNEL(shift_down, (const float* in, float* out, unsigned distance));

/// out[i] = the sum of the 32 elements of the warp, in every lane. Each lane may add in an order of its own,
/// so the sums of two lanes may differ by rounding. (In a butterfly they do not.)
/// Technique: five shuffles per warp, no shared memory.
WARPWISE_KERNEL(butterfly_sum, (const float* in, float* out));

// One value per warp: out[w] = the reduction of in[32 * w] to in[32 * w + 31]. `in` has n elements, and n can
// be anything. Elements at or past n must not be read and count as the identity of the operator. `out` has
// one element for each warp of the grid, and all are written. Operators and identities: operators.hpp.
// Technique: at most five shuffles per warp (none where votes do the work), no shared memory, no atomics;
// each warp loads once, at its own 32 elements.

WARPWISE_KERNEL(warp_reduce_sum, (const float* in, float* out, unsigned n));
WARPWISE_KERNEL(warp_reduce_product, (const float* in, float* out, unsigned n));
WARPWISE_KERNEL(warp_reduce_max, (const float* in, float* out, unsigned n));
WARPWISE_KERNEL(warp_reduce_min, (const float* in, float* out, unsigned n));
/// Logical: every word except 0 is true; the result is 1 or 0.
WARPWISE_KERNEL(warp_reduce_and, (const unsigned* in, unsigned* out, unsigned n));
WARPWISE_KERNEL(warp_reduce_or, (const unsigned* in, unsigned* out, unsigned n));
/// Bitwise.
WARPWISE_KERNEL(warp_reduce_bit_and, (const unsigned* in, unsigned* out, unsigned n));
WARPWISE_KERNEL(warp_reduce_bit_or, (const unsigned* in, unsigned* out, unsigned n));

// One value per block. The blocks share out the n elements, and each element is read once. You can choose
// which block takes which, by a grid-stride loop or in one stretch per block, as long as a warp reads 32
// neighbours at a time. n can be anything, including 0, and does not depend on the size of the grid.
// Technique: the warps' sums by shuffle, at most 32 words of shared memory (argmax: 64), one block barrier.
// You can combine the warps' results, at most 32 values, in any way: by shuffles again or one by one, in one
// thread or in all. If n is large (64 elements per thread), the warps of all blocks have about the same
// share: none has less than a quarter of an even share, and none more than twice an even share. Book: PMPP
// 4th ed., fig. 10.15 (coarsening); shuffles are not in that chapter.

/// out[b] = the sum of the elements that block b took; the sum of all out[b] is the sum of `in`.
WARPWISE_KERNEL(reduce_shuffle, (const float* in, float* out, unsigned n));

/// out[b] = the sum of a[i] * b[i] over the elements that block b took.
WARPWISE_KERNEL(dot_product, (const float* a, const float* b, float* out, unsigned n));

/// value[b], index[b] = the largest of the elements that block b took, and its index in `in`. Of equal values
/// the one with the lowest index: so -0 comes before a +0 that is further on. NaN is never the largest. If no
/// element of a block is a number, the block gives -infinity and the index 0xffffffff.
WARPWISE_KERNEL(reduce_argmax, (const float* in, float* value, unsigned* index, unsigned n));

/// Adds the sum of all elements to *total, which the caller has set to the value that the sum starts from.
/// Technique: also at most one atomic operation per block, or none if its sum is 0. A loop around atomicCAS
/// makes more, because each try counts. Book: PMPP 4th ed., fig. 10.13 (segmented) ends in the same way.
WARPWISE_KERNEL(reduce_atomic, (const float* in, float* total, unsigned n));

// To the roof, in three steps. Launch: any number of blocks of roof_threads threads. Technique of all three:
// 16-byte loads, at least two for each branch, so that several are on their way before the first is waited
// for; each element is read once. One load of a warp stays within 4096 bytes: neighbouring lanes load
// neighbours, or each lane loads a few float4 in a row. At most 3 warp instructions for 32 elements at
// n = 2^22. If n is large (2^17 elements per block), the warps of all blocks have about the same share, as
// above.

/// First step: whole tiles. `in` has `tiles` * 4 * roof_threads * roof_loads elements and begins at a
/// multiple of 16 bytes. out[i] = the sum of the elements that thread i took, for each thread of the grid, or
/// 0 if it took none. The sum of all out[i] is the sum of `in`. Technique: also no shuffle, no shared memory.
WARPWISE_KERNEL(sum_tiles, (const float* in, float* out, unsigned tiles));

/// Second step: any n, and any place. The same as sum_tiles, for the n elements of an `in` that can start at
/// any float, so it is only 4-byte aligned. What lies before or after them in the same 16 bytes is not read.
WARPWISE_KERNEL(sum_wide, (const float* in, float* out, unsigned n));

/// Third step: *out = the sum of all n elements, in one launch, at the speed of the memory. `in` is as in
/// sum_wide. *out can hold anything before the launch.
///
/// Launch: roof_grid() sizes the grid from the device, but the kernel must be right for any grid, and for any
/// order of its blocks. No block may wait for one that has not drawn its ticket yet, because that one may not
/// have begun. `partials` has a float for each block, contents unknown. *ticket is 0 at the start and must be
/// 0 again at the end, for the next launch. A counter of your own, a static variable that is 0 again at the
/// end, will do instead, but then two launches cannot run at the same time.
///
/// Technique: also at most 8 block barriers. You can choose how the last block adds the partial sums.
WARPWISE_KERNEL(reduce_to_the_roof,
                (const float* in, float* out, unsigned n, float* partials, unsigned* ticket));

namespace warpwise::ch05 {
constexpr unsigned roof_threads = 512;  ///< blockDim.x of reduce_to_the_roof
constexpr unsigned roof_loads = 4;      ///< 16-byte loads that a thread has in flight at once

// [grid]
/// Four blocks of 512 threads fill a multiprocessor (2048 threads), so no block has to wait for its turn.
/// There are no more blocks than tiles of 4 * 4 * 512 elements, but at least one, which writes 0 for n = 0.
WARPWISE_HOST_DEVICE constexpr unsigned roof_grid(unsigned multiprocessors, unsigned n) {
  constexpr unsigned tile = 4 * roof_loads * roof_threads;
  const unsigned tiles = n / tile + (n % tile != 0), most = 4 * multiprocessors;
  return tiles == 0 ? 1 : tiles < most ? tiles : most;
}
// [/grid]

// Given kernels for few elements (bench/roof_variants.cuh), and when they are faster.

/// Up to this many elements one block is enough, and one block alone needs no partial sums and no ticket:
/// sum_alone does it, with alone_threads threads. Argmax has more to do for each element, and is faster with
/// twice as many threads.
constexpr unsigned alone_elements = 8192, alone_threads = 512, alone_argmax_threads = 1024;
/// If no block of that grid gets more than one tile, sum_ticket_first is faster.
WARPWISE_HOST_DEVICE constexpr bool is_a_tile_a_block(unsigned multiprocessors, unsigned n) {
  return 4ull * roof_grid(multiprocessors, n) * roof_loads * roof_threads >= n;
}
}  // namespace warpwise::ch05
