// Chapter 7: who else has my key? README.md is the lesson; kernels.hpp says what each kernel must do.

#include "given.cuh"
#include "kernels.hpp"

[[maybe_unused]] constexpr unsigned whole_warp = 0xffffffffu;  // the mask that names all 32 lanes

/// The lanes of `mask` that have the caller's key. All lanes of `mask` call it, and no others.
__device__ unsigned match_by_broadcast(unsigned mask, unsigned long long key) {
  // TODO (about 7 lines)
  return 0;
}

/// peers[i] = the lanes with the key of thread i; in 32 rounds.
extern "C" __global__ void match_any_by_broadcast(const unsigned long long* keys, const unsigned* active,
                                                  unsigned* peers) {
  // TODO (about 3 lines, with match_by_broadcast)
}

/// As match_by_broadcast, but without rounds for inactive lanes.
__device__ unsigned match_skip_inactive(unsigned mask, unsigned long long key) {
  // TODO (about 6 lines)
  return 0;
}

/// peers[i] = the lanes with the key of thread i; one round for each lane that takes part.
extern "C" __global__ void match_any_skip_inactive(const unsigned long long* keys, const unsigned* active,
                                                   unsigned* peers) {
  // TODO (about 3 lines, with match_skip_inactive)
}

/// As match_by_broadcast, but with one round for each distinct key.
__device__ unsigned match_by_leaders(unsigned mask, unsigned long long key) {
  // TODO (about 8 lines)
  return 0;
}

/// peers[i] = the lanes with the key of thread i; one round for each distinct key.
extern "C" __global__ void match_any_by_leaders(const unsigned long long* keys, const unsigned* active,
                                                unsigned* peers) {
  // TODO (about 3 lines, with match_by_leaders)
}

/// *counter += 1 for each lane of `mask`; returns what the counter held just before the caller's increment.
/// All lanes of `mask` call it, and no others.
__device__ unsigned aggregate_increment(unsigned mask, unsigned* counter) {
  // TODO (about 7 lines)
  return 0;
}

/// tickets[i] = what counters[which[i]] held before the increment of thread i.
extern "C" __global__ void atomic_aggregate_increment(const unsigned* which, const unsigned* active,
                                                      unsigned* counters, unsigned* tickets) {
  // TODO (about 3 lines, with aggregate_increment)
}

/// histogram[k] += the number of keys that equal k.
extern "C" __global__ void histogram_aggregated(const unsigned* keys, unsigned* histogram, unsigned n) {
  // TODO (about 9 lines)
}

/// histogram[k] += the number of keys that equal k, counted in shared memory first.
extern "C" __global__ void histogram_private(const unsigned* keys, unsigned* histogram, unsigned n,
                                             unsigned bins) {
  extern __shared__ unsigned own[];  // `bins` counters, shared by the threads of the block

  // TODO (about 15 lines)
}

/// out = the elements of `in` that are not 0, in any order; *count = how many.
extern "C" __global__ void compact_by_tickets(const unsigned* in, unsigned* out, unsigned* count,
                                              unsigned n) {
  // TODO (about 6 lines)
}
