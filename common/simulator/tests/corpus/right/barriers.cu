/// \file Barriers that not every thread reaches, and rightly so.
#include "../launching_program.cuh"

// finding: none
// why: threads that have left are not waited for, whole warps or part of one
namespace early_exit_before_a_barrier {

__global__ void reverse(const unsigned* in, unsigned* out, unsigned n) {
  __shared__ unsigned s[128];
  const unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;
  if (first + t >= n) return;
  const unsigned here = min(blockDim.x, n - first);
  s[t] = in[first + t];
  __syncthreads();
  out[first + t] = s[here - 1 - t];
}

const LaunchingProgram program("early_exit_before_a_barrier",
                               {{reverse,
                                 "grid=3 block=128 args=in:u32[300]:random,out:u32[300]:poison,n:u32:300"}});

}  // namespace early_exit_before_a_barrier

// finding: none
// why: __syncthreads_count, _and, _or are barriers too
namespace barriers_that_count {

__global__ void votes(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[96];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  const int odd = __syncthreads_count(static_cast<int>(in[i] % 2));
  unsigned result = s[95 - t] + static_cast<unsigned>(odd);
  if (__syncthreads_or(odd > 90)) result += 1;
  s[t] = result;
  if (__syncthreads_and(in[i] != 12345u)) result += s[(t + 1) % 96];
  out[i] = result;
}

const LaunchingProgram program("barriers_that_count",
                               {{votes, "grid=2 block=96 args=in:u32[192]:random,out:u32[192]:poison"}});

}  // namespace barriers_that_count

// finding: none
// why: each pair of warps meets at a barrier of its own
namespace named_barriers_of_pairs {

__global__ void pairs(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[128];
  const unsigned t = threadIdx.x, pair = t / 64;
  s[t] = in[t];
  asm volatile("bar.sync %0, 64;" ::"r"(1 + pair) : "memory");
  out[t] = s[64 * pair + 63 - t % 64];
}

const LaunchingProgram program("named_barriers_of_pairs",
                               {{pairs, "grid=1 block=128 args=in:u32[128]:random,out:u32[128]:poison"}});

}  // namespace named_barriers_of_pairs

// finding: none
// why: of one warp some lanes wait and the others arrive: the barrier opens for those while these still run
namespace arrives_where_its_own_warp_waits {

__global__ void halves(unsigned* out) {
  if (threadIdx.x < 32)
    asm volatile("barrier.sync 1, 64;" ::: "memory");
  else
    asm volatile(
        "{ .reg .pred p; setp.lt.u32 p, %0, 48; @p bra ARRIVE; barrier.sync 1, 64; ARRIVE: barrier.arrive 1, "
        "64; }" ::"r"(threadIdx.x)
        : "memory");
  out[threadIdx.x] = threadIdx.x + 1;
}

const LaunchingProgram program("arrives_where_its_own_warp_waits",
                               {{halves, "grid=1 block=64 args=out:u32[64]:poison"}});

}  // namespace arrives_where_its_own_warp_waits

// finding: none
// why: named barriers: producers arrive, consumers wait, and the other way round
namespace producers_and_consumers {

__device__ void wait_at(int barrier) { asm volatile("bar.sync %0, 64;" ::"r"(barrier) : "memory"); }
__device__ void arrive_at(int barrier) { asm volatile("bar.arrive %0, 64;" ::"r"(barrier) : "memory"); }
__global__ void pipeline(const unsigned* in, unsigned* out, unsigned steps) {
  __shared__ unsigned slot[32];
  const unsigned lane = threadIdx.x % 32;
  const int full = 1, empty = 2;
  if (threadIdx.x < 32) {
    for (unsigned i = 0; i < steps; ++i) {
      if (i > 0) wait_at(empty);
      slot[lane] = in[32 * i + lane];
      arrive_at(full);
    }
  } else {
    for (unsigned i = 0; i < steps; ++i) {
      wait_at(full);
      out[32 * i + lane] = slot[31 - lane];
      if (i + 1 < steps) arrive_at(empty);
    }
  }
}

const LaunchingProgram program("producers_and_consumers",
                               {{pipeline,
                                 "grid=1 block=64 args=in:u32[128]:random,out:u32[128]:poison,steps:u32:4"}});

}  // namespace producers_and_consumers
