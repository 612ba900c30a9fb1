#pragma once
/// \file Chapter 6, the contract: what each kernel must do. The lesson is README.md.
///
/// The *inclusive* scan of x0, x1, x2 ... is x0, x0 + x1, x0 + x1 + x2 ... The *exclusive* scan leaves the
/// element itself out: 0, x0, x0 + x1 ... Unless a kernel says otherwise: `in` and `out` have n elements and
/// do not overlap; n can be anything up to 2^30, including 0; elements at or past n are neither read nor
/// written; any number of blocks that covers n, which can be far more than n needs, but at most 2^30 threads;
/// blockDim.x is a power of two from 32 to 1024; no dynamic shared memory. The contents of shared memory are
/// unknown at the start. Do not write to arrays that are `const` here.
///
/// Masks: the mask of a shuffle or vote names the lanes that make the call, and no others. That of a warp
/// barrier may also name lanes that have returned, because nobody waits for these.
/// The threads of a block wait for one another at barriers: none reads memory again and again until another
/// of the block has written it.
///
/// Ints: the sum of any neighbouring elements fits into an int, and INT_MIN can be one of them. Floats and
/// doubles: from an infinity or NaN on, the sums are what float addition makes of it, and the sums before it
/// are not affected. A sum of zeros may be +0 or -0.
///
/// Write the kernels yourself, without CUB or Thrust.

#include "common/harness/device/kernel.hpp"

// --- One scan per warp: out[i] = the sum of in[32 * (i / 32)] to in[i]. It is inclusive, and starts again
// --- with every warp. Algorithm: P. Kogge, H. Stone, "A parallel algorithm for the efficient solution of a
// --- general class of recurrence equations", 1973: five steps, at distances 1, 2, 4, 8, 16, in any order.
// --- Book: PMPP 4th ed., chapter 11, the Kogge-Stone scan. No block barrier; each element is read once, by
// --- its own warp. Limits on divergent branches apply to warps in which all lanes have an element.

/// In shared memory, with a condition in each step: each lane that has a lane `distance` below it makes its
/// own addition, and the others leave their sum as it is, or add 0. Launch: blockDim.x ints of dynamic shared
/// memory. Technique: at most 11 shared loads and 115 warp instructions per warp, no shuffle; no lane makes
/// the additions of others.
WARPWISE_KERNEL(scan_warp, (const int* in, int* out, unsigned n));

/// In shared memory, without a condition: lanes with no lane that far below them add a zero instead. Each
/// warp has 48 ints of its own, 16 for zeros and then one for each lane. There is room for 49 per warp, so
/// those of warp w can begin at 49 * w or at 48 * w. Launch: padded_ints(blockDim.x) ints of dynamic shared
/// memory. Technique: the same as scan_warp, with no divergent branch in the five steps (one is allowed for
/// writing the zeros) and no bank conflict; at least 6 shared stores per warp, the zeros and the sums of five
/// steps.
WARPWISE_KERNEL(scan_warp_padded, (const int* in, int* out, unsigned n));

/// In registers, with __shfl_up_sync and a test of the lane's number.
/// Technique: at most five shuffles per warp, no shared memory, no divergent branch.
WARPWISE_KERNEL(scan_warp_shuffle, (const int* in, int* out, unsigned n));

/// In registers: a shuffle whose second result, a predicate, guards the addition. In inline PTX, because CUDA
/// C++ does not give you that predicate.
/// Technique: at most five shuffles per warp, no shared memory, no divergent branch; at most 42 warp
/// instructions per warp in all, of which the scan takes two per step, the shuffle and the addition. (To add
/// what the predicate selects, the value or 0, takes three.)
WARPWISE_KERNEL(scan_warp_shuffle_ptx, (const int* in, int* out, unsigned n));

// --- One scan per block: out[i] = the sum of the elements from the block's first, in[b * blockDim.x], to
// --- in[i] (inclusive) or to in[i - 1] (exclusive: 0 for the first). If `sums` is not nullptr, it has an
// --- element for each block of the grid, and block b writes to sums[b] the sum of its elements, or 0 if it
// --- has none. Float and double: each sum is made of its own elements and no others, so an exclusive sum
// --- does not depend on the element itself, not even by its rounding. Technique: scans of warps by shuffle,
// --- a scan of the warps' totals, then an addition. At most two block barriers, and at most 14 shuffles per
// --- warp, on average over the warps of a block, or 28 for doubles, because a shuffle moves 32 bits. Each
// --- warp scans its own 32 elements. Only the totals go through shared memory, at most 32, and you can scan
// --- them in any way, even one by one: at most 2 stores per warp, and 2 more for the block. A warp may load
// --- all totals and 3 other words, and the block 3 more.

WARPWISE_KERNEL(scan_block_inclusive_int, (const int* in, int* out, int* sums, unsigned n));
WARPWISE_KERNEL(scan_block_exclusive_int, (const int* in, int* out, int* sums, unsigned n));
WARPWISE_KERNEL(scan_block_inclusive_float, (const float* in, float* out, float* sums, unsigned n));
WARPWISE_KERNEL(scan_block_exclusive_float, (const float* in, float* out, float* sums, unsigned n));
WARPWISE_KERNEL(scan_block_inclusive_double, (const double* in, double* out, double* sums, unsigned n));
WARPWISE_KERNEL(scan_block_exclusive_double, (const double* in, double* out, double* sums, unsigned n));

// --- The whole array, first way: three launches (scan_in_three_launches in launches.hpp). The first is
// --- scan_block_inclusive_int.

/// Replaces sums[0] to sums[count - 1] with their exclusive scan. One block, for any count: it walks along
/// the array, blockDim.x elements per round. Technique: at most three block barriers per round, and one more
/// in all; all warps work, and pass their totals on in shared memory, with as many loads per round as above;
/// each element is read and written once, 32 neighbours at a time.
WARPWISE_KERNEL(scan_sums, (int* sums, unsigned count));

/// Adds sums[b] to each element of `out` that belongs to block b, blockDim.x elements per block. Technique:
/// each element is read and written at most once, 32 neighbours at a time, and a warp reads at most one sum;
/// no atomics.
WARPWISE_KERNEL(add_sums, (int* out, const int* sums, unsigned n));

// --- A reduction whose order matters.

/// The map x -> scale * x + shift, in unsigned arithmetic (mod 2^32) and so exact. Applying one map and then
/// another is again a map of this kind, so composition is an operator on maps. It is associative, has the
/// identity {1, 0}, and is not commutative: doubling and then adding 1 turns 1 into 3, but adding 1 and then
/// doubling turns it into 4.
struct alignas(8) Affine {  // one load takes both
  unsigned scale, shift;
};

/// out[b] = the maps in[b * blockDim.x] to in[(b + 1) * blockDim.x - 1], applied one after the other, in this
/// order; a block without an element writes the identity, {1, 0}. So applying all of `out`, one after the
/// other, is the same as applying all of `in`.
///
/// Technique: a tree of any shape that keeps the order, in shared memory or by shuffles. No thread multiplies
/// more than 6 * log2(blockDim.x) + 6 times (two per pair of maps, the rest for indices), and there are at
/// most log2(blockDim.x) + 1 block barriers. Each element is read once, no atomics.
WARPWISE_KERNEL(reduce_affine, (const Affine* in, Affine* out, unsigned n));

// --- The whole array, second way, more advanced: one launch (scan_device). Two of its parts come first,
// --- by themselves. A tile is tile_elements elements, for a block of tile_threads threads. `in` and `out`
// --- are 16-byte aligned. The w-th warp of the block has the tile's w-th 128 * tile_rows elements, its
// --- *stretch* (tiles.hpp).

/// First part: out[i] = the sum of the elements from the first of its stretch to in[i]; totals[w] = the sum
/// of the w-th stretch of the grid, or 0 if it has no elements. Launch: tiles_for(n) blocks of tile_threads
/// threads; block b has tile b. Technique: each element is read and written once; at most 7 shuffles for each
/// 128 elements, no shared memory, no block barrier, no atomics.
WARPWISE_KERNEL(scan_tile_rows, (const int* in, int* out, int* totals, unsigned n));

/// Second part: ahead[t] = the sum of totals[0] to totals[t - 1], for each tile t: 0 for the first. Launch: a
/// block of one warp for each tile; `states` and `drawn` are as in scan_device. Technique: the look-back of
/// scan_device, without its barriers.
WARPWISE_KERNEL(find_ahead,
                (const int* totals, int* ahead, unsigned long long* states, unsigned long long* drawn));

/// Both parts together: out[i] = the sum of in[0] to in[i], in one launch. A block takes one tile of
/// tile_elements elements, and finds the sum of all tiles ahead by looking back at what they have published.
/// Source: D. Merrill, M. Garland, "Single-pass parallel prefix scan with decoupled look-back", NVIDIA
/// technical report NVR-2016-002. Book: PMPP 4th ed., chapter 11, the single-pass scan.
///
/// Launch: tiles_for(n) blocks of tile_threads threads. `in` and `out` are 16-byte aligned. `states` has a
/// word for each block, and `drawn` is a single word. All are 0 before the first launch. Afterwards they hold
/// what word_of and draw_tile of lookback.hpp write, and nothing else. The checks prepare words of this form,
/// as if other blocks had published them, and read what this block publishes. The same words are used in
/// later launches, with any n. If n is 0, the one block may draw its ticket and publish its 0, or do nothing.
///
/// Technique: the number of the tile comes from a ticket, because nothing guarantees in which order blocks
/// start; each element is read once and written once; a block publishes the total of its tile before it
/// waits for any other, adds up totals as far back as the nearest prefix, and looks at about one window of 32
/// tiles; at most six block barriers per tile. A block never waits for one that drew its ticket later.
WARPWISE_KERNEL(scan_device,
                (const int* in, int* out, unsigned n, unsigned long long* states, unsigned long long* drawn));

namespace warpwise::ch06 {

// [padded_ints]
/// Ints of shared memory that scan_warp_padded gets for a block of `threads` threads. 48 per warp would be
/// enough, but 49 is odd: the slots of the same lane in different warps are in different banks, so one warp
/// could read the totals of all warps without a conflict.
WARPWISE_HOST_DEVICE constexpr unsigned padded_ints(unsigned threads) { return threads / 32 * 49; }
// [/padded_ints]

constexpr unsigned tile_threads = 256;  ///< blockDim.x of scan_device
constexpr unsigned tile_rows = 10;      ///< 16-byte loads per thread
constexpr unsigned tile_elements = tile_threads * tile_rows * 4;
/// Blocks of scan_device; at least one, even if it has nothing to do.
WARPWISE_HOST_DEVICE constexpr unsigned tiles_for(unsigned n) {
  return n == 0 ? 1 : n / tile_elements + (n % tile_elements != 0);
}

}  // namespace warpwise::ch06
