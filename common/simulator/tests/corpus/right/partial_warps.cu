/// \file Warps of which only some lanes take part, and which say so.
#include "../launching_program.cuh"  // first: it has host code, so that NVRTC ends there

#include <cooperative_groups.h>

// finding: none
// why: lanes leave the kernel; those that stay have agreed before on who they are
namespace exit_behind_a_ballot {

__global__ void count(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, key = in[t];
  const unsigned stay = __ballot_sync(0xffffffffu, key % 3 != 0);
  if (key % 3 == 0) return;
  const unsigned even = __ballot_sync(stay, key % 2 == 0);
  out[t] = __popc(even) + __shfl_sync(stay, key, __ffs(stay) - 1);
}

const LaunchingProgram program("exit_behind_a_ballot",
                               {{count, "grid=1 block=64 args=in:u32[64]:random,out:u32[64]:zero"}});

}  // namespace exit_behind_a_ballot

// finding: none
// why: coalesced threads take their tickets by one atomic
namespace tickets_of_those_who_are_here {

namespace cg = cooperative_groups;
__device__ unsigned ticket(unsigned* count) {
  const cg::coalesced_group here = cg::coalesced_threads();
  unsigned first = 0;
  if (here.thread_rank() == 0) first = atomicAdd(count, here.size());
  return here.shfl(first, 0) + here.thread_rank();
}
__global__ void compact(const unsigned* in, unsigned* count, unsigned* seen) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] % 2 == 1) seen[ticket(count)] += 1;
}

const LaunchingProgram program(
    "tickets_of_those_who_are_here",
    {{compact, "grid=2 block=64 args=in:u32[128]:random,count:u32[1]:zero,seen:u32[128]:zero"}});

}  // namespace tickets_of_those_who_are_here

// finding: none
// why: 20 threads: the lane that is read from is bent back to one that exists
namespace source_kept_among_the_lanes {

__global__ void sum(const unsigned* in, unsigned* out) {
  const unsigned lane = threadIdx.x, last = blockDim.x - 1, everybody = (1u << blockDim.x) - 1;
  unsigned value = in[lane];
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    const unsigned other = __shfl_sync(everybody, value, min(lane + d, last));
    if (lane + d <= last) value += other;
  }
  out[lane] = value;
}

const LaunchingProgram program("source_kept_among_the_lanes",
                               {{sum, "grid=1 block=20 args=in:u32[20]:random,out:u32[20]:poison"}});

}  // namespace source_kept_among_the_lanes

// finding: none
// why: a shuffle of width 8 stays within its segment, as its last lanes read themselves
namespace segments_of_eight {

__global__ void sum(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  unsigned value = in[t];
  for (unsigned d = 4; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d, 8);
  if (t % 8 == 0) out[t / 8] = value;
}

const LaunchingProgram program("segments_of_eight",
                               {{sum, "grid=1 block=64 args=in:u32[64]:random,out:u32[8]:poison"}});

}  // namespace segments_of_eight

// finding: none
// why: what the lanes read they exchange, and write behind a __syncwarp
namespace read_shuffle_syncwarp_write {

__global__ void rotate(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[64];
  const unsigned t = threadIdx.x, warp = t / 32 * 32, lane = t % 32;
  s[t] = in[t];
  __syncwarp();
  const unsigned mine = s[warp + (lane + 5) % 32];
  const unsigned next = __shfl_sync(0xffffffffu, mine, lane + 1);
  __syncwarp();
  s[t] = mine + next;
  __syncwarp();
  out[t] = s[warp + 31 - lane];
}

const LaunchingProgram program("read_shuffle_syncwarp_write",
                               {{rotate, "grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison"}});

}  // namespace read_shuffle_syncwarp_write

// finding: none
// why: lanes of different lengths go round together until nobody has anything left
namespace loop_that_ends_by_a_vote {

__global__ void digits(const unsigned* in, unsigned* out) {
  unsigned rest = in[threadIdx.x], sum = 0, rounds = 0;
  while (__any_sync(0xffffffffu, rest != 0)) {
    sum += rest % 10;
    rest /= 10;
    rounds += __popc(__ballot_sync(0xffffffffu, rest != 0));
  }
  out[threadIdx.x] = sum + rounds;
}

const LaunchingProgram program("loop_that_ends_by_a_vote",
                               {{digits, "grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison"}});

}  // namespace loop_that_ends_by_a_vote

// finding: none
// why: warps beyond the input leave, the last with its lanes named by what is left
namespace early_return_of_whole_warps {

__global__ void sum(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned t = threadIdx.x, first = t / 32 * 32;
  if (first >= n) return;
  const unsigned here = min(32u, n - first);
  const unsigned mask = here == 32 ? 0xffffffffu : (1u << here) - 1;
  if (t >= n) return;
  unsigned value = in[t];
  for (unsigned d = 1; d < here; d *= 2) {
    const unsigned from = t % 32 + d < here ? t % 32 + d : t % 32;
    const unsigned other = __shfl_sync(mask, value, from);
    if (from != t % 32) value += other;
  }
  if (t == first) out[t / 32] = value;
}

const LaunchingProgram program("early_return_of_whole_warps",
                               {{sum, "grid=1 block=128 args=in:u32[70]:random,out:u32[4]:zero,n:u32:70"}});

}  // namespace early_return_of_whole_warps
