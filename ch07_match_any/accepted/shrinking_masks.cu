// accepted: lanes note their peers themselves; groups leave the loop at once; the highest lane leads, and
// ranks count the peers above

#include "../given.cuh"
#include "../kernels.hpp"

// One round a lane, and no vote: each lane notes for itself whose key is its own.
__device__ unsigned noted(unsigned mask, unsigned long long key) {
  const unsigned lane = threadIdx.x & 31;
  unsigned peers = 0;
#pragma unroll
  for (int source = 31; source >= 0; --source) {
    const bool is_here = (mask >> source & 1) != 0;
    const unsigned long long other = __shfl_sync(mask, key, is_here ? source : lane);
    if (is_here && other == key) peers |= 1u << source;
  }
  return peers;
}

extern "C" __global__ void match_any_by_broadcast(const unsigned long long* keys, const unsigned* active,
                                                  unsigned* peers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  if ((mask & (1u << (threadIdx.x & 31))) == 0) return;
  peers[i] = noted(mask, keys[i]);
}

extern "C" __global__ void match_any_skip_inactive(const unsigned long long* keys, const unsigned* active,
                                                   unsigned* peers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  if ((mask & (1u << (threadIdx.x & 31))) == 0) return;
  const unsigned long long key = keys[i];
  unsigned found = 0;
  for (int source = 0; source < 32; ++source) {
    if ((mask >> source & 1) == 0) continue;
    if (__shfl_sync(mask, key, source) == key) found |= 1u << source;
  }
  peers[i] = found;
}

// Who knows its peers leaves, and is named no more.
extern "C" __global__ void match_any_by_leaders(const unsigned long long* keys, const unsigned* active,
                                                unsigned* peers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned waiting = active[i / 32];
  if ((waiting & (1u << (threadIdx.x & 31))) == 0) return;
  const unsigned long long key = keys[i];
  while (true) {
    const int leader = 31 - __clz(waiting);
    const bool is_same = __shfl_sync(waiting, key, leader) == key;
    const unsigned group = __ballot_sync(waiting, is_same);
    if (is_same) {
      peers[i] = group;
      break;
    }
    waiting ^= group;
  }
}

__device__ unsigned increment(unsigned mask, unsigned* counter, unsigned index) {
  const unsigned lane = threadIdx.x & 31;
  const unsigned peers = __match_any_sync(mask, index);
  const int leader = 31 - __clz(peers);
  unsigned first = 0;
  if (lane == leader) first = atomicAdd(counter, __popc(peers));
  first = __shfl_sync(peers, first, leader);
  return first + __popc(peers >> lane) - 1;
}

extern "C" __global__ void atomic_aggregate_increment(const unsigned* which, const unsigned* active,
                                                      unsigned* counters, unsigned* tickets) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  if ((mask & (1u << (threadIdx.x & 31))) == 0) return;
  tickets[i] = increment(mask, counters + which[i], which[i]);
}

extern "C" __global__ void histogram_aggregated(const unsigned* keys, unsigned* histogram, unsigned n) {
  const unsigned threads = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
    const unsigned left = n - (i & ~31u);  // keys from the first lane's on
    const unsigned mask = left >= 32 ? 0xffffffffu : (1u << left) - 1;
    const unsigned key = keys[i], peers = __match_any_sync(mask, key);
    if ((peers & ((1u << (threadIdx.x & 31)) - 1)) == 0) atomicAdd(histogram + key, __popc(peers));
  }
}

// All tickets are of one counter: no match is needed.
extern "C" __global__ void compact_by_tickets(const unsigned* in, unsigned* out, unsigned* count,
                                              unsigned n) {
  const unsigned lane = threadIdx.x & 31, threads = gridDim.x * blockDim.x;
  const unsigned rounds = (n + threads - 1) / threads;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned round = 0; round < rounds; ++round, i += threads) {
    const unsigned value = i < n ? in[i] : 0;
    const unsigned kept = __ballot_sync(0xffffffffu, value);
    unsigned start = 0;
    if (lane == 0 && kept != 0) start = atomicAdd(count, __popc(kept));
    start = __shfl_sync(0xffffffffu, start, 0);
    if (value) out[start + __popc(kept & ((1u << lane) - 1))] = value;
  }
}

extern "C" __global__ void histogram_private(const unsigned* keys, unsigned* histogram, unsigned n,
                                             unsigned bins) {
  extern __shared__ unsigned own[];
  for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x) own[bin] = 0;
  __syncthreads();
  const unsigned threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = 4 * thread; i < n; i += 4 * threads) {
    if (i + 4 <= n) {
      const uint4 four = *reinterpret_cast<const uint4*>(keys + i);
      for (const unsigned key : {four.x, four.y, four.z, four.w}) atomicAdd(own + key, 1u);
    } else {
      for (unsigned k = i; k < n; ++k) atomicAdd(own + keys[k], 1u);
    }
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x)
    if (const unsigned sum = own[bin]) atomicAdd(histogram + bin, sum);
}
