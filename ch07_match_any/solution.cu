// Chapter 7: who else has my key? README.md is the lesson; kernels.hpp says what each kernel must do.

#include "given.cuh"
#include "kernels.hpp"

[[maybe_unused]] constexpr unsigned whole_warp = 0xffffffffu;  // the mask that names all 32 lanes

/// The lanes of `mask` that have the caller's key. All lanes of `mask` call it, and no others.
__device__ unsigned match_by_broadcast(unsigned mask, unsigned long long key) {
  // [broadcast]
  const unsigned lane = threadIdx.x % 32;
  unsigned peers = 0;
  for (unsigned source = 0; source < 32; ++source) {
    const unsigned from = mask >> source & 1 ? source : lane;  // an inactive lane cannot be read
    const unsigned same = __ballot_sync(mask, __shfl_sync(mask, key, from) == key);
    if (lane == source) peers = same;  // the lanes with the key of `source`: the answer for `source`
  }
  return peers;
  // [/broadcast]
}

/// peers[i] = the lanes with the key of thread i; in 32 rounds.
extern "C" __global__ void match_any_by_broadcast(const unsigned long long* keys, const unsigned* active,
                                                  unsigned* peers) {
  // [divergent]
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  if (mask >> threadIdx.x % 32 & 1) peers[i] = match_by_broadcast(mask, keys[i]);
  // [/divergent]
}

/// As match_by_broadcast, but without rounds for inactive lanes.
__device__ unsigned match_skip_inactive(unsigned mask, unsigned long long key) {
  // [skip]
  const unsigned lane = threadIdx.x % 32;
  unsigned peers = 0;
  for (unsigned left = mask; left != 0; left &= left - 1) {  // clears the lowest bit
    const unsigned source = __ffs(left) - 1;
    const unsigned same = __ballot_sync(mask, __shfl_sync(mask, key, source) == key);
    if (lane == source) peers = same;
  }
  return peers;
  // [/skip]
}

/// peers[i] = the lanes with the key of thread i; one round for each lane that takes part.
extern "C" __global__ void match_any_skip_inactive(const unsigned long long* keys, const unsigned* active,
                                                   unsigned* peers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  if (mask >> threadIdx.x % 32 & 1) peers[i] = match_skip_inactive(mask, keys[i]);
}

/// As match_by_broadcast, but with one round for each distinct key.
__device__ unsigned match_by_leaders(unsigned mask, unsigned long long key) {
  // [leaders]
  unsigned peers = 0;
  for (unsigned waiting = mask; waiting != 0;) {  // the lanes that do not know their peers yet
    const unsigned leader = __ffs(waiting) - 1;
    const bool is_same = __shfl_sync(mask, key, leader) == key;
    const unsigned group = __ballot_sync(mask, is_same);
    if (is_same) peers = group;
    waiting &= ~group;  // the same in all lanes, so they leave the loop together
  }
  return peers;
  // [/leaders]
}

/// peers[i] = the lanes with the key of thread i; one round for each distinct key.
extern "C" __global__ void match_any_by_leaders(const unsigned long long* keys, const unsigned* active,
                                                unsigned* peers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  if (mask >> threadIdx.x % 32 & 1) peers[i] = match_by_leaders(mask, keys[i]);
}

/// *counter += 1 for each lane of `mask`; returns what the counter held just before the caller's increment.
/// All lanes of `mask` call it, and no others.
__device__ unsigned aggregate_increment(unsigned mask, unsigned* counter) {
  // [aggregate]
  const unsigned lane = threadIdx.x % 32;
  const unsigned peers = __match_any_sync(mask, reinterpret_cast<unsigned long long>(counter));
  const unsigned leader = __ffs(peers) - 1;
  unsigned first = 0;
  if (lane == leader) first = atomicAdd(counter, __popc(peers));  // one adds for all
  first = __shfl_sync(mask, first, leader);                       // each reads its own leader
  const unsigned rank = __popc(peers & ((1u << lane) - 1));       // peers below the caller
  return first + rank;
  // [/aggregate]
}

/// tickets[i] = what counters[which[i]] held before the increment of thread i.
extern "C" __global__ void atomic_aggregate_increment(const unsigned* which, const unsigned* active,
                                                      unsigned* counters, unsigned* tickets) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  if (mask >> threadIdx.x % 32 & 1) tickets[i] = aggregate_increment(mask, &counters[which[i]]);
}

/// histogram[k] += the number of keys that equal k.
extern "C" __global__ void histogram_aggregated(const unsigned* keys, unsigned* histogram, unsigned n) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  for (unsigned first = 32 * warp; first < n; first += gridDim.x * blockDim.x) {
    const unsigned mask = __ballot_sync(whole_warp, first + lane < n);  // perhaps not all in the last round
    if (first + lane < n) {
      // [count_group]
      const unsigned key = keys[first + lane];
      const unsigned peers = __match_any_sync(mask, key);
      if (lane == __ffs(peers) - 1) atomicAdd(&histogram[key], __popc(peers));  // no tickets needed
      // [/count_group]
    }
  }
}

/// histogram[k] += the number of keys that equal k, counted in shared memory first.
extern "C" __global__ void histogram_private(const unsigned* keys, unsigned* histogram, unsigned n,
                                             unsigned bins) {
  extern __shared__ unsigned own[];  // `bins` counters, shared by the threads of the block

  for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x) own[bin] = 0;
  __syncthreads();  // or a thread could count in a bin that its owner clears afterwards

  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned threads = gridDim.x * blockDim.x;
  // [four_keys]
  const uint4* fours = reinterpret_cast<const uint4*>(keys);
  for (unsigned i = thread; i < n / 4; i += threads) {
    const uint4 four = fours[i];
    atomicAdd(&own[four.x], 1u);
    atomicAdd(&own[four.y], 1u);
    atomicAdd(&own[four.z], 1u);
    atomicAdd(&own[four.w], 1u);
  }
  // [/four_keys]
  for (unsigned i = n / 4 * 4 + thread; i < n; i += threads) atomicAdd(&own[keys[i]], 1u);  // at most three
  __syncthreads();  // or a bin could be added before all have counted

  for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x)
    if (own[bin] != 0) atomicAdd(&histogram[bin], own[bin]);
}

/// out = the elements of `in` that are not 0, in any order; *count = how many.
extern "C" __global__ void compact_by_tickets(const unsigned* in, unsigned* out, unsigned* count,
                                              unsigned n) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  for (unsigned first = 32 * warp; first < n; first += gridDim.x * blockDim.x) {
    // [compact]
    const unsigned value = first + lane < n ? in[first + lane] : 0;
    const unsigned kept = __ballot_sync(whole_warp, value != 0);
    if (value != 0) out[aggregate_increment(kept, count)] = value;
    // [/compact]
  }
}
