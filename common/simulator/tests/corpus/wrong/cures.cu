/// \file What does not mend each of these is what comes to mind first: a barrier stands between the two lines
/// already, or none can. With RIGHT they are mended.
#include "../launching_program.cuh"

// finding: race at `if (in[(32 * round + t) % 128] % 3 == 0) atomicAdd(&matches[warp], 1u);` or `sum += (round + 1) * matches[warp];`
// why: the barrier orders the two lines of one round; a lane that is ahead counts for the next while others still read
namespace pair_of_two_rounds {

__global__ void tally(const unsigned* in, unsigned* out, unsigned rounds) {
  __shared__ unsigned matches[2];
  const unsigned t = threadIdx.x, warp = t / 32;
  unsigned sum = 0;
  if (t % 32 == 0) matches[warp] = 0;
  __syncwarp();
  for (unsigned round = 0; round < rounds; ++round) {
    if (in[(32 * round + t) % 128] % 3 == 0) atomicAdd(&matches[warp], 1u);
    __syncwarp();
    sum += (round + 1) * matches[warp];
#ifdef RIGHT
    __syncwarp();
#endif
  }
  out[t] = sum;
}

const LaunchingProgram program("pair_of_two_rounds",
                               {{tally,
                                 "grid=1 block=64 args=in:u32[128]:random,out:u32[64]:poison,rounds:u32:5"}});

}  // namespace pair_of_two_rounds

// finding: race at `row[t] = in[128 * r + t];` or `if (row[0] % 2 == 0) continue;`
// also: race at `sum += row[127 - t];`
// also: barrier at 2nd `__syncthreads();` or 3rd `__syncthreads();`
// why: who continues jumps over the barrier at the end of the body, and writes the next row while others still look at this one
namespace barrier_behind_a_continue {

__global__ void sum_of_odd_rows(const unsigned* in, unsigned* out, unsigned rows) {
  __shared__ unsigned row[128];
  const unsigned t = threadIdx.x;
  unsigned sum = 0;
  for (unsigned r = 0; r < rows; ++r) {
#ifdef RIGHT
    __syncthreads();
#endif
    row[t] = in[128 * r + t];
    __syncthreads();
    if (row[0] % 2 == 0) continue;
    sum += row[127 - t];
    __syncthreads();
  }
  out[t] = sum;
}

const LaunchingProgram program(
    "barrier_behind_a_continue",
    {{sum_of_odd_rows, "grid=1 block=128 args=in:u32[1024]:random,out:u32[128]:poison,rows:u32:8"}});

}  // namespace barrier_behind_a_continue

// finding: race at `if (t % 32 == 0) best[t / 32] = value;` or `for (unsigned w = 0; w < 4; ++w) largest = max(largest, best[w]);`
// why: the next call of the function writes what slower warps of this one still read
namespace next_call_reuses_the_array {

__device__ unsigned largest_of_block(unsigned value) {
  __shared__ unsigned best[4];
  const unsigned t = threadIdx.x;
  for (unsigned d = 16; d > 0; d /= 2) value = max(value, __shfl_xor_sync(0xffffffffu, value, d));
  if (t % 32 == 0) best[t / 32] = value;
  __syncthreads();
  unsigned largest = 0;
  for (unsigned w = 0; w < 4; ++w) largest = max(largest, best[w]);
#ifdef RIGHT
  __syncthreads();
#endif
  return largest;
}
__global__ void largest_of_rows(const unsigned* in, unsigned* out, unsigned rows) {
  for (unsigned r = 0; r < rows; ++r) {
    const unsigned largest = largest_of_block(in[128 * r + threadIdx.x]);
    if (threadIdx.x == 0) out[r] = largest;
  }
}

const LaunchingProgram program("next_call_reuses_the_array",
                               {{largest_of_rows,
                                 "grid=1 block=128 args=in:u32[512]:random,out:u32[4]:poison,rows:u32:4"}});

}  // namespace next_call_reuses_the_array

// finding: race at `if (IS_MINE) s[t] += s[t + stride];`
// why: t % 2 * stride is (t % 2) * stride: all even threads work in every round, also those whose sum is being fetched
namespace guard_that_lets_all_even_threads_work {

#ifdef RIGHT
#define IS_MINE t % (2 * stride) == 0
#else
#define IS_MINE t % 2 * stride == 0
#endif
__global__ void sum(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[128];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  s[t + 64] = 0;
  __syncthreads();
  for (unsigned stride = 1; stride < 64; stride *= 2) {
    if (IS_MINE) s[t] += s[t + stride];
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}

const LaunchingProgram program("guard_that_lets_all_even_threads_work",
                               {{sum, "grid=1 block=64 args=in:u32[64]:random,out:u32[1]:poison"}});

}  // namespace guard_that_lets_all_even_threads_work

// finding: race at `weights[t] = 0.5 * in[t];` or `places[t] = t;`
// why: the second array begins where the first would end if it had `used` elements, and it has one a thread
namespace arrays_that_overlap {

__global__ void weigh(const unsigned* in, double* out, unsigned used) {
  extern __shared__ double memory[];
  const unsigned t = threadIdx.x;
  auto* const places = reinterpret_cast<unsigned*>(memory);
#ifdef RIGHT
  double* const weights = memory + blockDim.x / 2;
#else
  double* const weights = memory + used / 2;
#endif
  weights[t] = 0.5 * in[t];
  places[t] = t;
  __syncthreads();
  out[t] = weights[places[63 - t]];
}

const LaunchingProgram program(
    "arrays_that_overlap",
    {{weigh, "grid=1 block=64 shared=768 args=in:u32[64]:random,out:f64[64]:poison,used:u32:16"}});

}  // namespace arrays_that_overlap

// finding: race at `out[0] = *value;` or `*value = in[0] + 5;`
// why: the writer has its fence, but the reader may have fetched the value before it saw the flag
namespace no_fence_behind_the_flag {

__global__ void hand_over(const unsigned* in, unsigned* value, unsigned* flag, unsigned* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *value = in[0] + 5;
    __threadfence();
    atomicExch(flag, 1u);
  } else {
    while (atomicAdd(flag, 0u) == 0) {
    }
#ifdef RIGHT
    __threadfence();
#endif
    out[0] = *value;
  }
}

const LaunchingProgram program(
    "no_fence_behind_the_flag",
    {{hand_over,
      "grid=2 block=32 args=in:u32[1]:iota,value:u32[1]:poison,flag:u32[1]:zero,out:u32[1]:poison"}});

}  // namespace no_fence_behind_the_flag

// finding: race at `out[0] = *value;` or `*value = in[0] + 5;`
// why: the reader has its fence, but the flag may be seen before the value that it announces
namespace no_fence_in_front_of_the_flag {

__global__ void hand_over(const unsigned* in, unsigned* value, unsigned* flag, unsigned* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *value = in[0] + 5;
#ifdef RIGHT
    __threadfence();
#endif
    atomicExch(flag, 1u);
  } else {
    while (atomicAdd(flag, 0u) == 0) {
    }
    __threadfence();
    out[0] = *value;
  }
}

const LaunchingProgram program(
    "no_fence_in_front_of_the_flag",
    {{hand_over,
      "grid=2 block=32 args=in:u32[1]:iota,value:u32[1]:poison,flag:u32[1]:zero,out:u32[1]:poison"}});

}  // namespace no_fence_in_front_of_the_flag

// finding: race at `sums[t] += in[64 * turn + t];`
// why: a barrier hands on what thread 0 has seen to its block, but orders nothing with other blocks: both fences are missing
namespace turns_without_fences {

__global__ void add_in_order(const unsigned* in, volatile unsigned* sums, unsigned* turns) {
  const unsigned t = threadIdx.x, turn = blockIdx.x;
  if (t == 0)
    while (atomicAdd(turns, 0u) != turn) continue;
  __syncthreads();
#ifdef RIGHT
  __threadfence();
#endif
  sums[t] += in[64 * turn + t];
#ifdef RIGHT
  __threadfence();
#endif
  __syncthreads();
  if (t == 0) atomicExch(turns, turn + 1);
}

const LaunchingProgram program(
    "turns_without_fences",
    {{add_in_order, "grid=3 block=64 args=in:u32[192]:random,sums:u32[64]:zero,turns:u32[1]:zero"}});

}  // namespace turns_without_fences

// finding: race at `atomicExch(largest, max(*largest, in[64 * blockIdx.x]));`
// why: between the read and the exchange another block may exchange, and what it stored is lost
namespace exchange_of_what_was_read {

__global__ void keep_largest(const unsigned* in, unsigned* largest) {
  if (threadIdx.x != 0) return;
#ifdef RIGHT
  atomicMax(largest, in[64 * blockIdx.x]);
#else
  atomicExch(largest, max(*largest, in[64 * blockIdx.x]));
#endif
}

const LaunchingProgram program("exchange_of_what_was_read",
                               {{keep_largest,
                                 "grid=8 block=64 args=in:u32[512]:random,largest:u32[1]:zero"}});

}  // namespace exchange_of_what_was_read
