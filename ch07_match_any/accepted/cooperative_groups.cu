// accepted: cooperative groups for the atomics; keys passed on in two halves; the active mask where any group
// of lanes gives the right answer

#include <cooperative_groups.h>

#include "../given.cuh"
#include "../kernels.hpp"

namespace cg = cooperative_groups;

__device__ bool has_key_of(unsigned mask, unsigned low, unsigned high, unsigned source) {
  const unsigned other_low = __shfl_sync(mask, low, source), other_high = __shfl_sync(mask, high, source);
  return other_low == low && other_high == high;
}

__device__ unsigned lane_of_caller() { return threadIdx.x % warpSize; }

extern "C" __global__ void match_any_by_broadcast(const unsigned long long* keys, const unsigned* active,
                                                  unsigned* peers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  if (mask >> lane_of_caller() & 1) {
    const unsigned low = static_cast<unsigned>(keys[i]), high = static_cast<unsigned>(keys[i] >> 32);
    const unsigned first = __ffs(mask) - 1;
    for (unsigned source = 0; source < 32; ++source) {
      const bool is_here = mask >> source & 1;
      const unsigned same = __ballot_sync(mask, has_key_of(mask, low, high, is_here ? source : first));
      if (lane_of_caller() == source) peers[i] = same;
    }
  }
}

extern "C" __global__ void match_any_skip_inactive(const unsigned long long* keys, const unsigned* active,
                                                   unsigned* peers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned mask = active[i / 32];
  const bool takes_part = mask >> lane_of_caller() & 1;
  mask = __ballot_sync(0xffffffffu, takes_part);  // the same again, from the lanes themselves
  if (!takes_part) return;
  const unsigned low = static_cast<unsigned>(keys[i]), high = static_cast<unsigned>(keys[i] >> 32);
  unsigned found = 0;
  for (unsigned source = __ffs(mask) - 1; source < 32; ++source)
    if (mask >> source & 1) found |= static_cast<unsigned>(has_key_of(mask, low, high, source)) << source;
  peers[i] = found;
}

extern "C" __global__ void match_any_by_leaders(const unsigned long long* keys, const unsigned* active,
                                                unsigned* peers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  if ((mask >> lane_of_caller() & 1) == 0) return;
  const unsigned low = static_cast<unsigned>(keys[i]), high = static_cast<unsigned>(keys[i] >> 32);
  unsigned done = 0;
  do {
    const unsigned leader = __ffs(mask & ~done) - 1;
    const bool is_same = has_key_of(mask, low, high, leader);
    const unsigned group = __ballot_sync(mask, is_same);
    if (is_same) peers[i] = group;
    done |= group;
  } while (done != mask);
}

// Whoever is here together shares an operation: any grouping gives unique and dense tickets.
__device__ unsigned draw(unsigned* counter) {
  const auto group =
      cg::labeled_partition(cg::coalesced_threads(), reinterpret_cast<unsigned long long>(counter));
  unsigned first = 0;
  if (group.thread_rank() == 0) first = atomicAdd(counter, group.size());
  return group.shfl(first, 0) + group.thread_rank();
}

extern "C" __global__ void atomic_aggregate_increment(const unsigned* which, const unsigned* active,
                                                      unsigned* counters, unsigned* tickets) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (active[i / 32] >> lane_of_caller() & 1) tickets[i] = draw(&counters[which[i]]);
}

extern "C" __global__ void histogram_aggregated(const unsigned* keys, unsigned* histogram, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned key = keys[i];
    const auto group = cg::labeled_partition(cg::coalesced_threads(), key);
    if (group.thread_rank() == 0) atomicAdd(&histogram[key], group.size());
  }
}

extern "C" __global__ void compact_by_tickets(const unsigned* in, unsigned* out, unsigned* count,
                                              unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned value = in[i];
    if (value == 0) continue;
    const auto group = cg::coalesced_threads();
    unsigned first = 0;
    if (group.thread_rank() == 0) first = atomicAdd(count, group.size());
    out[group.shfl(first, 0) + group.thread_rank()] = value;
  }
}

extern "C" __global__ void histogram_private(const unsigned* keys, unsigned* histogram, unsigned n,
                                             unsigned bins) {
  extern __shared__ unsigned own[];
  const cg::thread_block block = cg::this_thread_block();
  const cg::grid_group grid = cg::this_grid();
  for (unsigned bin = block.thread_rank(); bin < bins; bin += block.size()) own[bin] = 0;
  block.sync();
  const auto thread = static_cast<unsigned>(grid.thread_rank()), threads = static_cast<unsigned>(grid.size());
  for (unsigned i = thread; i < n / 4; i += threads) {
    const uint4 four = reinterpret_cast<const uint4*>(keys)[i];
    atomicAdd_block(&own[four.x], 1u);
    atomicAdd_block(&own[four.y], 1u);
    atomicAdd_block(&own[four.z], 1u);
    atomicAdd_block(&own[four.w], 1u);
  }
  if (thread < n % 4) atomicAdd_block(&own[keys[n - 1 - thread]], 1u);
  block.sync();
  for (unsigned bin = block.thread_rank(); bin < bins; bin += block.size())
    atomicAdd(&histogram[bin], own[bin]);
}
