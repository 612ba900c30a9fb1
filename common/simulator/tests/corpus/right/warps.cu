/// \file Lanes that work together under a mask, and in step only where a __syncwarp says so.
#include "../launching_program.cuh"

// finding: none
// why: read, __syncwarp, write, __syncwarp: no lane is assumed to be in step
namespace warp_scan_with_syncwarp {

__global__ void scan_warp(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[64];
  const unsigned t = threadIdx.x, lane = t % 32;
  s[t] = in[t];
  __syncwarp();
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned other = lane >= d ? s[t - d] : 0;
    __syncwarp();
    s[t] += other;
    __syncwarp();
  }
  out[t] = s[t];
}

const LaunchingProgram program("warp_scan_with_syncwarp",
                               {{scan_warp, "grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison"}});

}  // namespace warp_scan_with_syncwarp

// finding: none
// why: the tail of a tree, a __syncwarp after every read and every write
namespace warp_tail_with_syncwarp {

__global__ void sum(const unsigned* in, unsigned* out) {
  extern __shared__ unsigned partial[];
  const unsigned t = threadIdx.x;
  partial[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  if (t < 64) partial[t] += partial[t + 64];
  __syncthreads();
  if (t < 32) {
    unsigned value = partial[t] + partial[t + 32];
    for (unsigned d = 16; d > 0; d /= 2) {
      __syncwarp();
      partial[t] = value;
      __syncwarp();
      value += partial[(t + d) % 32];
    }
    if (t == 0) out[blockIdx.x] = value;
  }
}

const LaunchingProgram program("warp_tail_with_syncwarp",
                               {{sum,
                                 "grid=2 block=128 shared=512 args=in:u32[256]:random,out:u32[2]:poison"}});

}  // namespace warp_tail_with_syncwarp

// finding: none
// why: sixteen zeros in front of each warp replace the condition
namespace padded_warp_scan {

__global__ void scan_warp(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[2 * 49];
  const unsigned t = threadIdx.x, lane = t % 32, slot = 49 * (t / 32) + 16 + lane;
  if (lane < 16) s[slot - 16] = 0;
  unsigned value = in[t];
  for (unsigned d = 1; d < 32; d *= 2) {
    s[slot] = value;
    __syncwarp();
    value += s[slot - d];
    __syncwarp();
  }
  out[t] = value;
}

const LaunchingProgram program("padded_warp_scan",
                               {{scan_warp, "grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison"}});

}  // namespace padded_warp_scan

// finding: none
// why: a block of 100 threads: the last warp names only the lanes that exist
namespace partial_last_warp {

__global__ void sum(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[4];
  const unsigned t = threadIdx.x, lane = t % 32;
  const unsigned here = min(32u, blockDim.x - t / 32 * 32);
  const unsigned mask = here == 32 ? 0xffffffffu : (1u << here) - 1;
  unsigned value = in[blockIdx.x * blockDim.x + t];
  for (unsigned d = here / 2; d > 0; d /= 2) value += __shfl_xor_sync(mask, value, d);
  if (lane == 0) sums[t / 32] = value;
  __syncthreads();
  if (t == 0) out[blockIdx.x] = sums[0] + sums[1] + sums[2] + sums[3];
}

const LaunchingProgram program("partial_last_warp",
                               {{sum, "grid=2 block=100 args=in:u32[200]:random,out:u32[2]:poison"}});

}  // namespace partial_last_warp

// finding: none
// why: each half of a warp shuffles in its own branch with its own mask
namespace half_warps_with_their_masks {

__global__ void halves(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, lane = t % 32;
  unsigned value = in[t];
  if (lane < 16) {
    for (unsigned d = 8; d > 0; d /= 2) value += __shfl_xor_sync(0x0000ffffu, value, d, 16);
  } else {
    for (unsigned d = 8; d > 0; d /= 2) value = max(value, __shfl_xor_sync(0xffff0000u, value, d, 16));
  }
  out[t] = value;
}

const LaunchingProgram program("half_warps_with_their_masks",
                               {{halves, "grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison"}});

}  // namespace half_warps_with_their_masks

// finding: none
// why: the two sides of a branch meet at shuffles, votes and matches of the same kind, with one mask
namespace collectives_in_both_branches {

__global__ void exchange(const unsigned* in, unsigned* out) {
  constexpr unsigned everybody = 0xffffffffu;
  const unsigned lane = threadIdx.x, value = in[lane];
  unsigned partner, votes, peers;
  if (lane < 16) {
    partner = __shfl_xor_sync(everybody, value, 16);
    votes = __ballot_sync(everybody, partner > value);
    peers = __match_any_sync(everybody, value % 4);
    out[lane] = partner + votes;
  } else {
    partner = __shfl_xor_sync(everybody, 3 * value, 16);
    votes = __ballot_sync(everybody, partner <= value);
    peers = __match_any_sync(everybody, value % 2);
    out[lane] = partner * votes;
  }
  out[lane] += peers;
}

const LaunchingProgram program("collectives_in_both_branches",
                               {{exchange, "grid=1 block=32 args=in:u32[32]:random,out:u32[32]:poison"}});

}  // namespace collectives_in_both_branches

// finding: none
// why: a ballot before the branch gives exactly the lanes that enter it
namespace mask_from_a_ballot {

__global__ void sum_of_odd(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, key = in[t];
  const unsigned mask = __ballot_sync(0xffffffffu, key % 2 == 1);
  if (key % 2 == 1) {
    unsigned sum = 0;
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) sum += __shfl_sync(mask, key, __ffs(rest) - 1);
    out[t] = sum;
  }
}

const LaunchingProgram program("mask_from_a_ballot",
                               {{sum_of_odd, "grid=1 block=64 args=in:u32[64]:random,out:u32[64]:zero"}});

}  // namespace mask_from_a_ballot

// finding: none
// why: lanes with the same key share one atomic; each lane gets its own ticket
namespace match_any_aggregated {

__global__ void tickets(const unsigned* in, unsigned* counters, unsigned* seen, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const unsigned here = min(32u, blockDim.x - threadIdx.x / 32 * 32);
  const unsigned mask = here == 32 ? 0xffffffffu : (1u << here) - 1;
  const unsigned key = in[i] % 8;
  const unsigned peers = __match_any_sync(mask, key);
  const unsigned leader = __ffs(peers) - 1, rank = __popc(peers & ((1u << lane) - 1));
  unsigned first = 0;
  if (lane == leader) first = atomicAdd(&counters[key], __popc(peers));
  first = __shfl_sync(peers, first, leader);
  seen[n * key + first + rank] += 1;
}

const LaunchingProgram program(
    "match_any_aggregated",
    {{tickets,
      "grid=2 block=100 args=in:u32[200]:random,counters:u32[8]:zero,seen:u32[1600]:zero,n:u32:200"}});

}  // namespace match_any_aggregated

// finding: none
// why: four groups of a warp, each with its own mask, have trees of their own in shared memory
namespace groups_of_eight {

__global__ void sums(const float* in, float* out) {
  __shared__ float partial[64];
  const unsigned t = threadIdx.x, mask = 0xffu << (t & 24), rank = t & 7;
  partial[t] = in[t];
  __syncwarp(mask);
  for (unsigned d = 4; d > 0; d /= 2) {
    const float right = rank < d ? partial[t + d] : 0;
    __syncwarp(mask);
    if (rank < d) partial[t] += right;
    __syncwarp(mask);
  }
  out[blockIdx.x * 64 + t] = partial[t & ~7u];
}

const LaunchingProgram program("groups_of_eight",
                               {{sums, "grid=2 block=64 args=in:f32[64]:random,out:f32[128]:poison"}});

}  // namespace groups_of_eight

// finding: none
// why: four lanes of a group of sixteen form a group of their own
namespace nested_groups {

__global__ void sum(const float* in, float* out) {
  __shared__ float partial[32];
  const unsigned lane = threadIdx.x;
  partial[lane] = in[lane];
  if (lane >= 16) return;
  __syncwarp(0x0000ffffu);
  if (lane >= 4) return;
  __syncwarp(0xfu);
  partial[lane] += partial[lane + 8];
  __syncwarp(0xfu);
  if (lane == 0) out[0] = partial[0] + partial[1] + partial[2] + partial[3];
}

const LaunchingProgram program("nested_groups",
                               {{sum, "grid=1 block=32 args=in:f32[32]:random,out:f32[1]:poison"}});

}  // namespace nested_groups

// finding: none
// why: leader and mask are of one __activemask(), so the lane that is read was there
namespace active_mask_taken_once {

__device__ unsigned increment_for_all(unsigned* counter) {
  const unsigned mask = __activemask();
  const unsigned leader = __ffs(mask) - 1, lane = threadIdx.x % 32;
  unsigned first = 0;
  if (lane == leader) first = atomicAdd(counter, __popc(mask));
  first = __shfl_sync(mask, first, leader);
  return first + __popc(mask & ((1u << lane) - 1));
}

__global__ void keep_thirds(const unsigned* in, unsigned* list, unsigned* count) {
  if (in[threadIdx.x] % 3 == 0) list[increment_for_all(count)] = threadIdx.x;
}

const LaunchingProgram program(
    "active_mask_taken_once",
    {{keep_thirds, "grid=1 block=128 args=in:u32[128]:iota,list:u32[128]:zero,count:u32[1]:zero"}});

}  // namespace active_mask_taken_once

// finding: none
// why: the lanes of one __activemask() keep to themselves: who they are decides who reads what
namespace active_mask_of_a_group {

__global__ void gather(const unsigned* in, unsigned* out) {
  __shared__ unsigned slots[32];
  const unsigned lane = threadIdx.x;
  if (in[lane] % 3 == 0) {
    const unsigned mask = __activemask();
    slots[lane] = in[lane];
    __syncwarp(mask);
    out[lane] = slots[__ffs(mask) - 1];
  }
}

const LaunchingProgram program("active_mask_of_a_group",
                               {{gather, "grid=1 block=32 args=in:u32[32]:iota,out:u32[32]:zero"}});

}  // namespace active_mask_of_a_group
