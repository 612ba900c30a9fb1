/// \file Masks that promise lanes that never arrive, or leave out the caller.
#include "../launching_program.cuh"

// finding: sync at `for (unsigned d = 8; d > 0; d /= 2) value += __shfl_xor_sync(0xffffffffu, value, d);`
// also: sync at `__syncwarp();`
// why: sixteen lanes shuffle, the mask promises thirty-two
namespace full_mask_in_half_a_warp {

__global__ void half_sum(const float* in, float* out) {
  const unsigned lane = threadIdx.x;
  float value = in[lane];
  if (lane < 16) {
    for (unsigned d = 8; d > 0; d /= 2) value += __shfl_xor_sync(0xffffffffu, value, d);
  }
  __syncwarp();
  out[lane] = value;
}

const LaunchingProgram program("full_mask_in_half_a_warp",
                               {{half_sum, "grid=1 block=32 args=in:f32[32]:random,out:f32[32]:poison"}});

}  // namespace full_mask_in_half_a_warp

// finding: sync at `out[lane] = __shfl_sync(0x0000ffffu, in[lane], 3);`
// why: lanes 16 to 31 call with a mask that leaves them out
namespace mask_without_its_caller {

__global__ void broadcast(const float* in, float* out) {
  const unsigned lane = threadIdx.x;
  out[lane] = __shfl_sync(0x0000ffffu, in[lane], 3);
}

const LaunchingProgram program("mask_without_its_caller",
                               {{broadcast, "grid=1 block=32 args=in:f32[32]:random,out:f32[32]:poison"}});

}  // namespace mask_without_its_caller

// finding: sync at `out[lane] = __shfl_xor_sync(mask, in[lane], 1);`
// why: lanes that shuffle together name different partners
namespace masks_that_differ {

__global__ void neighbours(const unsigned* in, unsigned* out) {
  const unsigned lane = threadIdx.x;
  const unsigned mask = lane < 16 ? 0xffffffffu : 0xffff0000u;
  out[lane] = __shfl_xor_sync(mask, in[lane], 1);
}

const LaunchingProgram program("masks_that_differ",
                               {{neighbours, "grid=1 block=32 args=in:u32[32]:random,out:u32[32]:poison"}});

}  // namespace masks_that_differ

// finding: sync at `if (i < n) peers = __match_any_sync(0xffffffffu, in[i] % 4);`
// also: sync at `__syncwarp();`
// why: the tail's lanes never arrive at the match that names them
namespace match_while_lanes_are_away {

__global__ void same_key(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned i = threadIdx.x;
  unsigned peers = 0;
  if (i < n) peers = __match_any_sync(0xffffffffu, in[i] % 4);
  __syncwarp();
  out[i] = peers;
}

const LaunchingProgram program("match_while_lanes_are_away",
                               {{same_key,
                                 "grid=1 block=64 args=in:u32[50]:iota,out:u32[64]:poison,n:u32:50"}});

}  // namespace match_while_lanes_are_away

// finding: sync at 2nd `for (unsigned d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);`
// why: eight lanes reduce the warp sums with a mask and a tree for thirty-two
namespace second_stage_with_few_lanes {

__global__ void sum(const float* in, float* out) {
  __shared__ float sums[8];
  const unsigned t = threadIdx.x;
  float value = in[blockIdx.x * blockDim.x + t];
  for (unsigned d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
  if (t % 32 == 0) sums[t / 32] = value;
  __syncthreads();
  if (t < 8) {
    value = sums[t];
    for (unsigned d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
    if (t == 0) out[blockIdx.x] = value;
  }
}

const LaunchingProgram program("second_stage_with_few_lanes",
                               {{sum, "grid=2 block=256 args=in:f32[512]:random,out:f32[2]:poison"}});

}  // namespace second_stage_with_few_lanes

// finding: sync at `if (lane < 16) out[lane] = __shfl_sync(0x0000ffffu, value, lane + 16);`
// why: lanes 0 to 15 read from lanes that take no part
namespace shuffle_from_an_absent_lane {

__global__ void upper_half(const float* in, float* out) {
  const unsigned lane = threadIdx.x;
  const float value = in[lane];
  if (lane < 16) out[lane] = __shfl_sync(0x0000ffffu, value, lane + 16);
}

const LaunchingProgram program("shuffle_from_an_absent_lane",
                               {{upper_half, "grid=1 block=32 args=in:f32[32]:random,out:f32[16]:poison"}});

}  // namespace shuffle_from_an_absent_lane

// finding: sync at `value += __shfl_xor_sync(0xffffffffu, value, 1);`
// also: sync at `__syncwarp();`
// why: lanes leave the loop while others still shuffle with them
namespace shuffle_in_a_loop_of_own_length {

__global__ void walk(const unsigned* in, unsigned* out) {
  const unsigned lane = threadIdx.x;
  unsigned value = in[lane];
  for (unsigned i = 0; i < in[lane] % 4; ++i) {
    value += __shfl_xor_sync(0xffffffffu, value, 1);
  }
  __syncwarp();
  out[lane] = value;
}

const LaunchingProgram program("shuffle_in_a_loop_of_own_length",
                               {{walk, "grid=1 block=32 args=in:u32[32]:iota,out:u32[32]:poison"}});

}  // namespace shuffle_in_a_loop_of_own_length

// finding: sync at `value = 3 * __shfl_down_sync(0xffffffffu, value, 2);` or `value = 5 + __shfl_xor_sync(0xffffffffu, value, 2);`
// why: the halves of a warp wait for each other at shuffles of different kinds
namespace shuffles_in_both_branches {

__global__ void both(const unsigned* in, unsigned* out) {
  const unsigned lane = threadIdx.x;
  unsigned value = in[lane];
  if (lane % 2 == 0) {
    value = 3 * __shfl_down_sync(0xffffffffu, value, 2);
  } else {
    value = 5 + __shfl_xor_sync(0xffffffffu, value, 2);
  }
  out[lane] = value;
}

const LaunchingProgram program("shuffles_in_both_branches",
                               {{both, "grid=1 block=32 args=in:u32[32]:random,out:u32[32]:poison"}});

}  // namespace shuffles_in_both_branches

// finding: sync at `__syncwarp(0x0000ffffu);`
// also: race at `out[lane] = s[(lane + 1) % 32];`
// also: uninitialised at `out[lane] = s[(lane + 1) % 32];`
// why: lanes wait at a __syncwarp whose mask leaves them out
namespace syncwarp_without_its_caller {

__global__ void rotate(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[32];
  const unsigned lane = threadIdx.x;
  s[lane] = in[lane];
  __syncwarp(0x0000ffffu);
  out[lane] = s[(lane + 1) % 32];
}

const LaunchingProgram program("syncwarp_without_its_caller",
                               {{rotate, "grid=1 block=32 args=in:u32[32]:random,out:u32[32]:poison"}});

}  // namespace syncwarp_without_its_caller

// finding: sync at `if (key % 2 == 1) large = __popc(__ballot_sync(0xffffffffu, key > 9));`
// also: sync at `__syncwarp();`
// why: only lanes with an odd key vote, the mask names all
namespace vote_with_a_full_mask {

__global__ void count(const unsigned* in, unsigned* out) {
  const unsigned lane = threadIdx.x;
  const unsigned key = in[lane];
  unsigned large = 0;
  if (key % 2 == 1) large = __popc(__ballot_sync(0xffffffffu, key > 9));
  __syncwarp();
  out[lane] = large;
}

const LaunchingProgram program("vote_with_a_full_mask",
                               {{count, "grid=1 block=32 args=in:u32[32]:iota,out:u32[32]:poison"}});

}  // namespace vote_with_a_full_mask

// finding: sync at `for (unsigned d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);`
// why: the last level of a reduction: two threads, and shuffles for thirty-two
namespace block_of_two_in_a_tree_of_32 {

__global__ void sum(const unsigned* in, unsigned* out) {
  unsigned value = in[threadIdx.x];
  for (unsigned d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
  if (threadIdx.x == 0) *out = value;
}

const LaunchingProgram program("block_of_two_in_a_tree_of_32",
                               {{sum, "grid=1 block=2 args=in:u32[2]:random,out:u32[1]:poison"}});

}  // namespace block_of_two_in_a_tree_of_32

// finding: sync at `value += __shfl_down_sync(0xffffffffu, value, 8);`
// why: half of the warp has returned, and is read from
namespace shuffle_from_lanes_that_left {

__global__ void sum(const unsigned* in, unsigned* out) {
  const unsigned lane = threadIdx.x;
  if (lane >= 16) return;
  unsigned value = in[lane];
  value += __shfl_down_sync(0xffffffffu, value, 8);
  out[lane] = value;
}

const LaunchingProgram program("shuffle_from_lanes_that_left",
                               {{sum, "grid=1 block=32 args=in:u32[32]:random,out:u32[32]:poison"}});

}  // namespace shuffle_from_lanes_that_left

// finding: sync at `out[lane] = __ballot_sync(0xffffffffu, in[lane] % 2 == 1);`
// why: lanes 16 to 31 write, and end without the vote that waits for them
namespace vote_while_others_leave {

__global__ void vote(const unsigned* in, unsigned* out) {
  const unsigned lane = threadIdx.x;
  if (lane < 16) {
    out[lane] = __ballot_sync(0xffffffffu, in[lane] % 2 == 1);
  } else {
    out[lane] = in[lane];
    if (in[lane] % 7 == 0) out[lane] = 7;
  }
}

const LaunchingProgram program("vote_while_others_leave",
                               {{vote, "grid=1 block=32 args=in:u32[32]:random,out:u32[32]:poison"}});

}  // namespace vote_while_others_leave

// finding: sync at `first = __shfl_sync(__activemask(), first, leader);`
// why: the second __activemask() need not name the lanes that the first one did
namespace active_mask_taken_twice {

__device__ unsigned increment_for_all(unsigned* counter) {
  const unsigned mask = __activemask();
  const unsigned leader = __ffs(mask) - 1, lane = threadIdx.x % 32;
  unsigned first = 0;
  if (lane == leader) first = atomicAdd(counter, __popc(mask));
  first = __shfl_sync(__activemask(), first, leader);
  return first + __popc(mask & ((1u << lane) - 1));
}

__global__ void keep_thirds(const unsigned* in, unsigned* list, unsigned* count) {
  if (in[threadIdx.x] % 3 == 0) list[increment_for_all(count)] = threadIdx.x;
}

const LaunchingProgram program(
    "active_mask_taken_twice",
    {{keep_thirds, "grid=1 block=128 args=in:u32[128]:iota,list:u32[128]:zero,count:u32[1]:zero"}});

}  // namespace active_mask_taken_twice

// finding: sync at `__syncwarp(__activemask());`
// why: a lane that arrives later is not waited for, and its depth may be less
namespace syncwarp_for_whoever_is_there {

__global__ void nearest(const unsigned* depths, unsigned* least, unsigned* winner) {
  const unsigned lane = threadIdx.x, depth = depths[lane];
  if (depth % 3 != 0) {
    atomicMin(&least[lane % 4], depth);
    __syncwarp(__activemask());
    if (depth == atomicMin(&least[lane % 4], depth)) atomicMax(&winner[lane % 4], lane);
  }
}

const LaunchingProgram program(
    "syncwarp_for_whoever_is_there",
    {{nearest, "grid=1 block=32 args=depths:u32[32]:iota,least:u32[4]:iota,winner:u32[4]:zero"}});

}  // namespace syncwarp_for_whoever_is_there
