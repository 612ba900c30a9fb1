// accepted: matching by subtraction and rotation; four rounds at once in the histogram and for the tickets; a
// private histogram that merges equal neighbours first

#include "../given.cuh"
#include "../kernels.hpp"

namespace {
constexpr unsigned everybody = 0xffffffffu;
__device__ unsigned lane_id() { return threadIdx.x % 32; }
__device__ unsigned thread_id() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ unsigned below(unsigned mask) { return __popc(mask & ((1u << lane_id()) - 1)); }

/// The n-th lane of `mask`, from the lowest on.
__device__ unsigned nth_lane(unsigned mask, unsigned n) {
  for (; n > 0; --n) mask &= mask - 1;
  return __ffs(mask) - 1;
}
}  // namespace

// Lane by lane, each from another source: the lanes walk around in a circle, and the last step is their own.
extern "C" __global__ void match_any_by_broadcast(const unsigned long long* keys, const unsigned* active,
                                                  unsigned* peers) {
  const unsigned mask = active[thread_id() / 32];
  if (mask >> lane_id() & 1) {
    const unsigned long long key = keys[thread_id()];
    unsigned result = 1u << lane_id();
    for (unsigned step = 1; step < 32; ++step) {
      const unsigned source = (lane_id() + step) % 32;
      const bool is_here = (mask >> source & 1) != 0;
      if ((__shfl_sync(mask, key, is_here ? source : lane_id()) == key) & is_here) result |= 1u << source;
    }
    peers[thread_id()] = result;
  }
}

extern "C" __global__ void match_any_skip_inactive(const unsigned long long* keys, const unsigned* active,
                                                   unsigned* peers) {
  const unsigned mask = active[thread_id() / 32];
  if ((mask >> lane_id() & 1) == 0) return;
  const unsigned long long key = keys[thread_id()];
  unsigned result = 0;
  for (unsigned n = 0; n < __popc(mask); ++n) {
    const unsigned source = nth_lane(mask, n);
    const unsigned long long difference = __shfl_sync(mask, key, source) - key;
    const unsigned same = __ballot_sync(mask, difference == 0);
    if (same >> lane_id() & 1) result |= 1u << source;
  }
  peers[thread_id()] = result;
}

extern "C" __global__ void match_any_by_leaders(const unsigned long long* keys, const unsigned* active,
                                                unsigned* peers) {
  const unsigned mask = active[thread_id() / 32];
  if ((mask >> lane_id() & 1) == 0) return;
  const unsigned long long key = keys[thread_id()];
  unsigned mine = 0;
  for (unsigned seen = 0; seen != mask;) {
    const unsigned group = __ballot_sync(mask, !(__shfl_sync(mask, key, __ffs(mask & ~seen) - 1) ^ key));
    mine = group >> lane_id() & 1 ? group : mine;
    seen += group;
  }
  peers[thread_id()] = mine;
}

extern "C" __global__ void atomic_aggregate_increment(const unsigned* which, const unsigned* active,
                                                      unsigned* counters, unsigned* tickets) {
  const unsigned mask = active[thread_id() / 32];
  if ((mask >> lane_id() & 1) == 0) return;
  const unsigned counter = which[thread_id()];
  // Group after group, without a match: each group finds its operation in its own round.
  for (unsigned waiting = mask; waiting != 0;) {
    const unsigned leader = __ffs(waiting) - 1;
    const bool is_same = __shfl_sync(mask, counter, leader) == counter;
    const unsigned group = __ballot_sync(mask, is_same);
    unsigned first = 0;
    if (lane_id() == leader) first = atomicAdd(&counters[counter], __popc(group));
    first = __shfl_sync(mask, first, leader);
    if (is_same) tickets[thread_id()] = first + below(group);
    waiting &= ~group;
  }
}

__device__ void count_together(unsigned mask, unsigned* histogram, unsigned key) {
  const unsigned peers = __match_any_sync(mask, key);
  if (below(peers) == 0) atomicAdd(&histogram[key], __popc(peers));
}

extern "C" __global__ void histogram_aggregated(const unsigned* keys, unsigned* histogram, unsigned n) {
  const unsigned step = gridDim.x * blockDim.x * 4;
  for (unsigned first = thread_id() / 32 * 128; first < n; first += step)
    for (unsigned part = 0; part < 4; ++part) {
      const unsigned i = first + 32 * part + lane_id();
      const unsigned mask = __ballot_sync(everybody, i < n);
      if (i < n) count_together(mask, histogram, keys[i]);
    }
}

extern "C" __global__ void compact_by_tickets(const unsigned* in, unsigned* out, unsigned* count,
                                              unsigned n) {
  const unsigned step = gridDim.x * blockDim.x * 4;
  for (unsigned first = thread_id() / 32 * 128; first < n; first += step) {
    unsigned value[4], kept[4], sum = 0;
#pragma unroll
    for (unsigned part = 0; part < 4; ++part) {
      const unsigned i = first + 32 * part + lane_id();
      value[part] = i < n ? in[i] : 0;
      kept[part] = __ballot_sync(everybody, value[part] != 0);
      sum += __popc(kept[part]);
    }
    unsigned start = 0;
    if (lane_id() == 31) start = atomicAdd(count, sum);
    start = __shfl_sync(everybody, start, 31);
#pragma unroll
    for (unsigned part = 0; part < 4; ++part) {
      if (value[part] != 0) out[start + below(kept[part])] = value[part];
      start += __popc(kept[part]);
    }
  }
}

// Equal neighbours of a thread are counted together.
extern "C" __global__ void histogram_private(const unsigned* keys, unsigned* histogram, unsigned n,
                                             unsigned bins) {
  extern __shared__ unsigned own[];
  for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x) own[bin] = 0;
  __syncthreads();
  for (unsigned i = 4 * thread_id(); i < n / 4 * 4; i += 4 * gridDim.x * blockDim.x) {
    const uint4 four = *reinterpret_cast<const uint4*>(&keys[i]);
    const unsigned key[4] = {four.x, four.y, four.z, four.w};
    unsigned run = 0;
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
      ++run;
      if (k == 3 || key[k] != key[k + 1]) {
        atomicAdd(&own[key[k]], run);
        run = 0;
      }
    }
  }
  if (thread_id() == 0)
    for (unsigned i = n / 4 * 4; i < n; ++i) atomicAdd(&own[keys[i]], 1u);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x)
    if (own[bin] != 0) atomicAdd(&histogram[bin], own[bin]);
}
