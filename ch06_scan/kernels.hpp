#pragma once
/// \file Chapter 6, the contract: what each kernel must do. The lesson is README.md.
///
/// The *inclusive* scan of x0, x1, x2 ... is x0, x0 + x1, x0 + x1 + x2 ...; the *exclusive* scan leaves the
/// own element out: 0, x0, x0 + x1 ... Unless a kernel says otherwise: `in` and `out` have n elements and do
/// not overlap; n may be anything, 0 included; elements at or past n are neither read nor written; any number
/// of blocks that covers n, so perhaps far more than that; blockDim.x a power of two from 32 to 1024; no
/// dynamic shared memory. The contents of shared memory are unknown at the start. What is `const` stays as it
/// is.
///
/// Ints: the sum of any neighbouring elements fits into an int, and INT_MIN may be one of them. Floats and
/// doubles: from an infinity or NaN on the sums are what float addition makes of it, and those before it do
/// not know of it. Whether a sum of zeros is +0 or -0 is open.
///
/// The kernels are written here, not called: cub:: and thrust:: are told as such.

#include "affine.hpp"
#include "common/harness/device/kernel.hpp"

// --- One scan a warp: out[i] = the sum of in[32 * (i / 32)] to in[i]: inclusive, and it starts again with
// --- every warp. Algorithm: P. Kogge, H. Stone, "A parallel algorithm for the efficient solution of a
// --- general class of recurrence equations", 1973: five steps, at distances 1, 2, 4, 8, 16. Book: PMPP 4th
// --- ed., chapter 11, the Kogge-Stone scan. No block barrier; each element is read once, by its own warp.

/// In shared memory, with a condition a step: only lanes that have a lane `distance` below them add.
/// Launch: blockDim.x ints of dynamic shared memory. Technique: at most 11 shared loads and 115 warp
/// instructions a warp, no shuffle; all lanes add in each step, and none adds up alone what the others have.
WARPWISE_KERNEL(scan_warp, (const int* in, int* out, unsigned n));

/// In shared memory, without a condition: lanes with nothing below them add a zero that lies there. Warp w
/// has the 49 ints from 49 * w on (padded_ints): 16 for zeros, then one for each lane; one stays unused.
/// Launch: padded_ints(blockDim.x) ints of dynamic shared memory. Technique: as scan_warp, and no divergent
/// branch in the five steps (in a warp of which all lanes have an element; one is allowed where the zeros are
/// written), and no bank conflict; at least 6 shared stores a warp, the zeros and the sums of five steps.
WARPWISE_KERNEL(scan_warp_padded, (const int* in, int* out, unsigned n));

/// In registers: a shuffle whose second result, a predicate, guards the addition. In inline PTX, because
/// CUDA C++ does not hand that predicate out.
/// Technique: at most five shuffles a warp, no shared memory, no divergent branch; at most 42 warp
/// instructions a warp in all, of which two a step are the scan.
WARPWISE_KERNEL(scan_warp_shuffle_ptx, (const int* in, int* out, unsigned n));

/// In registers, with __shfl_up_sync and a test of the lane.
/// Technique: at most five shuffles a warp, no shared memory, no divergent branch.
WARPWISE_KERNEL(scan_warp_shuffle, (const int* in, int* out, unsigned n));

// --- One scan a block: out[i] = the sum of the elements from the block's first, in[b * blockDim.x], to
// --- in[i] (inclusive), or to in[i - 1] (exclusive: 0 for the first). If `sums` is not nullptr, block b
// --- writes to sums[b] the sum of its elements, 0 where it has none. Float and double: sums of what lies
// --- before and nothing else, so that an exclusive sum does not feel the element itself, not even by its
// --- rounding. Technique: scans of warps by shuffle, a scan of the warps' totals, add: at most two block
// --- barriers and 14 shuffles of 32 bits a warp (a double is two). Each warp scans its own 32 elements.
// --- Only the totals pass through shared memory, at most 32, and how they are scanned is open, one by one
// --- too: at most 2 stores a warp, and 2 more for the block. A warp may load all totals, and 3 other words;
// --- 3 loads more for the block.

WARPWISE_KERNEL(scan_block_inclusive_int, (const int* in, int* out, int* sums, unsigned n));
WARPWISE_KERNEL(scan_block_exclusive_int, (const int* in, int* out, int* sums, unsigned n));
WARPWISE_KERNEL(scan_block_inclusive_float, (const float* in, float* out, float* sums, unsigned n));
WARPWISE_KERNEL(scan_block_exclusive_float, (const float* in, float* out, float* sums, unsigned n));
WARPWISE_KERNEL(scan_block_inclusive_double, (const double* in, double* out, double* sums, unsigned n));
WARPWISE_KERNEL(scan_block_exclusive_double, (const double* in, double* out, double* sums, unsigned n));

// --- The whole array, first way: three launches (three_launches.hpp). scan_block_inclusive_int is the
// --- first.

/// Replaces sums[0] to sums[count - 1] by their exclusive scan. One block, whatever count is: it walks along
/// the array, blockDim.x elements a round. Technique: at most three block barriers a round, and one besides;
/// all warps work, and hand their totals on in shared memory, with as many loads a round as above; each
/// element is read and written once, 32 neighbours at a time.
WARPWISE_KERNEL(scan_sums, (int* sums, unsigned count));

/// Adds sums[b] to each of the elements of `out` that belong to block b, blockDim.x to a block. Technique:
/// each element is read and written once, 32 neighbours at a time, and a warp reads one sum at most; no
/// atomics.
WARPWISE_KERNEL(add_sums, (int* out, const int* sums, unsigned n));

// --- The whole array, second way, for the advanced: one launch (scan_device), after two of its parts by
// --- themselves. A tile is tile_elements elements, for a block of tile_threads threads; `in` and `out` are
// --- 16-byte aligned. The w-th warp of the block has the tile's w-th stretch of 128 * tile_rows elements
// --- (tiles.hpp).

/// First part: out[i] = the sum of the elements from the first of its stretch to in[i]; totals[w] = the sum
/// of the w-th stretch of the grid, 0 where it has no elements. Launch: tiles_for(n) blocks of tile_threads
/// threads; block b has tile b. Technique: each element is read and written once; at most 7 shuffles for each
/// 128 elements, no shared memory, no block barrier, no atomics.
WARPWISE_KERNEL(scan_tile_rows, (const int* in, int* out, int* totals, unsigned n));

/// Second part: ahead[t] = the sum of totals[0] to totals[t - 1], for each tile t: 0 for the first. Launch: a
/// block of one warp for each tile; `states` and `drawn` as in scan_device. Technique: as the looking back of
/// scan_device, without its barriers.
WARPWISE_KERNEL(find_ahead,
                (const int* totals, int* ahead, unsigned long long* states, unsigned long long* drawn));

/// Both put together: out[i] = the sum of in[0] to in[i], in one launch. A block
/// takes one tile of tile_elements elements, and finds the sum of all tiles ahead by looking back at what
/// they have published. Source: D. Merrill, M. Garland, "Single-pass parallel prefix scan with decoupled
/// look-back", NVIDIA technical report NVR-2016-002. Book: PMPP 4th ed., chapter 11, the single-pass scan.
///
/// Launch: tiles_for(n) blocks of tile_threads threads. `in` and `out` are 16-byte aligned. `states` has a
/// word for each block, `drawn` is one: 0 before the first launch, and afterwards what word_of and draw_tile
/// of lookback.hpp make of them and nothing else: the checks lay such words out, as if other blocks had
/// published them, and read what this one publishes. Launches with the same words follow one another, with
/// any n.
///
/// Technique: the number of the tile comes from a ticket, because nobody promises in which order blocks
/// start; each element is read once and written once; a block publishes the total of its tile before it
/// waits for anybody, adds up totals as far back as the nearest prefix, and looks at about one window of 32
/// tiles; at most six block barriers a tile. It waits for no block that has drawn after it.
WARPWISE_KERNEL(scan_device,
                (const int* in, int* out, unsigned n, unsigned long long* states, unsigned long long* drawn));

// --- A reduction whose order matters.

/// out[b] = the maps in[b * blockDim.x] to in[(b + 1) * blockDim.x - 1], done one after the other, the first
/// one first; a block without an element writes the identity, {1, 0}. So all of `out`, one after the other,
/// is all of `in`.
///
/// Technique: a tree, of whatever shape keeps the order, in shared memory or by shuffles: no thread
/// multiplies more than 6 * log2(blockDim.x) + 6 times (two a pair of maps, the rest for indices), and at
/// most log2(blockDim.x) + 1 block barriers. Each element is read once, no atomics.
WARPWISE_KERNEL(reduce_affine, (const Affine* in, Affine* out, unsigned n));

namespace warpwise::ch06 {

// [padded_ints]
/// Ints of shared memory that scan_warp_padded needs for a block of `threads` threads. 48 a warp would do;
/// 49 is odd, so that slots of the same lane in different warps lie in different banks, and one warp could
/// read the totals of all without a conflict.
constexpr unsigned padded_ints(unsigned threads) { return threads / 32 * 49; }
// [/padded_ints]

constexpr unsigned tile_threads = 256;  ///< blockDim.x of scan_device
constexpr unsigned tile_rows = 10;      ///< 16-byte loads a thread
constexpr unsigned tile_elements = tile_threads * tile_rows * 4;
/// Blocks of scan_device; one at least, though it has nothing to do.
constexpr unsigned tiles_for(unsigned n) { return n == 0 ? 1 : n / tile_elements + (n % tile_elements != 0); }

}  // namespace warpwise::ch06
