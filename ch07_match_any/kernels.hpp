#pragma once
/// \file Chapter 7, the contract: what each kernel must do. The lesson is README.md.
///
/// Warps are numbered across the whole grid: this thread is in warp
/// w = (blockIdx.x * blockDim.x + threadIdx.x) / 32. Launch, unless a kernel says otherwise: any number of
/// blocks, but at most 2^30 threads; blockDim.x is a multiple of 32 up to 1024; no dynamic shared memory. Do
/// not write to arrays that are `const` here. Write the kernels yourself, without CUB or Thrust.
///
/// Masks: the mask of a shuffle, vote or match names the lanes that make the call, and no others. Lanes that
/// have returned do not make it, so no kernel returns in some lanes and then names all 32.
/// The threads of a block wait for one another at barriers: none reads memory again and again until another
/// of the block has written it.

#include "common/harness/device/kernel.hpp"

// --- Who else has my key? `keys` and `peers` have one element for each thread of the grid, `active` has one
// --- word for each warp, and element i belongs to thread i. The lanes of warp w whose bit is set in
// --- active[w] take part. The others do nothing: they leave their element of `peers` as it is, and do not
// --- load their key, which may never have been written. peers[i] = the lanes of the warp that take part and
// --- have the same key as thread i, one bit each. Thread i itself is one of them. This is what
// --- __match_any_sync(active[w], keys[i]) returns. Keys are equal if all 64 bits are; any word can be a key,
// --- including 0 and ~0.
// ---
// --- This must hold for every active[w], including 0, and for any order in which the lanes run. So the mask
// --- of an exchange is active[w], which is known, and not __activemask(), which says which lanes happen to
// --- be here at the moment. A lane that takes no part cannot be read.
// ---
// --- Technique: the lanes tell each other their keys by shuffles, two for a 64-bit key. A vote collects what
// --- they find, or each lane sets the bits of its own mask, without a vote. No match instruction, no shared
// --- memory, no atomics. Each lane loads its key once.

/// Given: the intrinsic itself.
WARPWISE_KERNEL(match_any_intrinsic,
                (const unsigned long long* keys, const unsigned* active, unsigned* peers));

/// One round per lane: at most 32 rounds per warp, each with at most two shuffles and one vote.
WARPWISE_KERNEL(match_any_by_broadcast,
                (const unsigned long long* keys, const unsigned* active, unsigned* peers));

/// The same, with one round for each lane that takes part.
WARPWISE_KERNEL(match_any_skip_inactive,
                (const unsigned long long* keys, const unsigned* active, unsigned* peers));

/// The same, with one round for each *distinct* key among the lanes that take part.
WARPWISE_KERNEL(match_any_by_leaders,
                (const unsigned long long* keys, const unsigned* active, unsigned* peers));

/// Increments counters[which[i]] for each thread i that takes part (active[w] as above), and sets tickets[i]
/// to what that counter held just before the increment of thread i. So the tickets of one counter are unique
/// and dense: they run from what it held before the launch up to, but not including, what it holds after.
/// Any thread can get any of them. The counters wrap around at 2^32. Threads that take no part leave
/// tickets[i] as it is, and do not load which[i].
///
/// Technique: one atomic operation for each distinct counter among the lanes of a warp that take part, if
/// they run together (so a mask of the lanes that happen to be here, from __activemask() or
/// coalesced_threads(), will do). A loop around atomicCAS makes more, because each try counts. They find each
/// other by a match, or by a round for each distinct counter: at most five shuffles and votes for each, and
/// four more per warp.
WARPWISE_KERNEL(atomic_aggregate_increment,
                (const unsigned* which, const unsigned* active, unsigned* counters, unsigned* tickets));

// --- Put to use. n can be anything up to 2^30, including 0, and does not depend on the grid: the blocks
// --- divide the elements among themselves, and each element is taken once. A warp reads 32 neighbours at a
// --- time, or more. If n is large (64 elements per thread), the warps of all blocks have about the same
// --- share: at least a quarter of an even share, and at most twice an even share. Counts wrap around at
// --- 2^32.

/// Given, for comparison: one atomic operation per key.
WARPWISE_KERNEL(histogram_plain, (const unsigned* keys, unsigned* histogram, unsigned n));

/// histogram[k] grows by the number of keys that equal k. Every key is an index of `histogram`.
///
/// Technique: one atomic operation for each distinct key among the 32 of a round, if the lanes run together.
/// They find each other as in atomic_aggregate_increment, and nothing is counted in shared memory. Each key
/// is read once.
WARPWISE_KERNEL(histogram_aggregated, (const unsigned* keys, unsigned* histogram, unsigned n));

/// As histogram_aggregated, for histograms that fit into shared memory: every key is below `bins`, and bins
/// is at most 12288 (48 KiB).
///
/// Launch: `bins` words of dynamic shared memory, whose contents are unknown at the start; `keys` begins at a
/// multiple of 16 bytes.
///
/// Technique: each block counts in shared memory, four keys per load (512 bytes per warp), and adds what it
/// has counted to `histogram` at the end: at most one atomic operation on global memory per block and bin, 32
/// neighbouring bins per request.
WARPWISE_KERNEL(histogram_private, (const unsigned* keys, unsigned* histogram, unsigned n, unsigned bins));

/// out[0], out[1] ... = the elements of `in` that are not 0, in any order; *count grows from 0 to their
/// number, and what comes after them in `out` stays as it is. `out` has n elements.
///
/// Technique: tickets. The ticket of an element is its place in `out`. At most one atomic operation for 32
/// elements, if the lanes run together. Each element is read once.
WARPWISE_KERNEL(compact_by_tickets, (const unsigned* in, unsigned* out, unsigned* count, unsigned n));
