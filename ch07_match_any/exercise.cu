// Chapter 7: who else has my key? README.md is the lesson; kernels.hpp says what each kernel must do.

#include "given.cuh"
#include "kernels.hpp"

[[maybe_unused]] constexpr unsigned whole_warp = 0xffffffffu;  // the mask that names all 32 lanes

/// The lanes of `mask` that have the caller's key. All lanes of `mask` call it, and no others.
__device__ unsigned match_by_broadcast(unsigned mask, unsigned long long key) {
  // TODO rounds (about 7 lines): in round `source`, 0 to 31, every lane gets the key of lane `source` and
  //      compares it with its own; a ballot says which lanes have it. For which lane is that the answer? From
  //      which lane can you read if lane `source` is not in `mask`?
  return 0;
}

/// peers[i] = the lanes with the key of thread i; in 32 rounds.
extern "C" __global__ void match_any_by_broadcast(const unsigned long long* keys, const unsigned* active,
                                                  unsigned* peers) {
  // TODO call (about 3 lines): active[warp] names the lanes that take part. They, and only they, load their
  //      key, call match_by_broadcast and store what it returns. That function does the work.
}

/// As match_by_broadcast, but without rounds for inactive lanes.
__device__ unsigned match_skip_inactive(unsigned mask, unsigned long long key) {
  // TODO rounds (about 6 lines): as in match_by_broadcast, but `source` goes through the bits of `mask`.
  //      __ffs finds the lowest bit, and x & (x - 1) is x without it.
  return 0;
}

/// peers[i] = the lanes with the key of thread i; one round for each lane that takes part.
extern "C" __global__ void match_any_skip_inactive(const unsigned long long* keys, const unsigned* active,
                                                   unsigned* peers) {
  // TODO call (about 3 lines): as in match_any_by_broadcast, but call match_skip_inactive.
}

/// As match_by_broadcast, but with one round for each distinct key.
__device__ unsigned match_by_leaders(unsigned mask, unsigned long long key) {
  // TODO rounds (about 8 lines): as long as some lanes do not know their peers, the first of them leads: all
  //      lanes compare its key with theirs, and a ballot gives its whole group at once. When may a lane leave
  //      the loop?
  return 0;
}

/// peers[i] = the lanes with the key of thread i; one round for each distinct key.
extern "C" __global__ void match_any_by_leaders(const unsigned long long* keys, const unsigned* active,
                                                unsigned* peers) {
  // TODO call (about 3 lines): as in match_any_by_broadcast, but call match_by_leaders.
}

/// *counter += 1 for each lane of `mask`; returns what the counter held just before the caller's increment.
/// All lanes of `mask` call it, and no others.
__device__ unsigned aggregate_increment(unsigned mask, unsigned* counter) {
  // TODO one adds for all (about 7 lines): find the lanes with the same counter, by its address
  //      (__match_any_sync). One of them adds for all, and hands what it gets to the others. Which ticket is
  //      each lane's own?
  return 0;
}

/// tickets[i] = what counters[which[i]] held before the increment of thread i.
extern "C" __global__ void atomic_aggregate_increment(const unsigned* which, const unsigned* active,
                                                      unsigned* counters, unsigned* tickets) {
  // TODO call (about 3 lines): as in match_any_by_broadcast, but call aggregate_increment with the thread's
  //      counter.
}

/// histogram[k] += the number of keys that equal k.
extern "C" __global__ void histogram_aggregated(const unsigned* keys, unsigned* histogram, unsigned n) {
  // TODO grid-stride loop (about 9 lines): a warp takes 32 keys per round. Which lanes have a key in the last
  //      round? These find their peers, and one lane of each group adds for all. You need no tickets.
}

/// out = the elements of `in` that are not 0, in any order; *count = how many.
extern "C" __global__ void compact_by_tickets(const unsigned* in, unsigned* out, unsigned* count,
                                              unsigned n) {
  // TODO grid-stride loop (about 6 lines): a warp takes 32 elements per round. Each element that is not 0
  //      draws a ticket from *count, and goes to the place that the ticket names.
}

/// histogram[k] += the number of keys that equal k, counted in shared memory first.
extern "C" __global__ void histogram_private(const unsigned* keys, unsigned* histogram, unsigned n,
                                             unsigned bins) {
  extern __shared__ unsigned own[];  // `bins` counters, shared by the threads of the block

  // TODO count (about 15 lines): clear `own`. Count in it, four keys per load, and also the keys left over
  //      if n is not a multiple of 4. Then add what is not 0 to `histogram`. Where do you need two barriers?
}
