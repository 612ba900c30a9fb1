/// \file Threads that poll: for flags, tickets, generations, and for long.
#include "../launching_program.cuh"

// finding: none
// why: a ticket each, served in order, with a fence on each side of what the lock protects
namespace ticket_lock {

__global__ void sum(const unsigned* in, unsigned* tickets, unsigned* serving, unsigned* total) {
  if (threadIdx.x != 0) return;
  const unsigned mine = atomicAdd(tickets, 1);
  while (atomicAdd(serving, 0) != mine) {
  }
  __threadfence();
  *total += in[blockIdx.x];
  __threadfence();
  atomicAdd(serving, 1);
}

const LaunchingProgram program(
    "ticket_lock",
    {{sum,
      "grid=8 block=32 args=in:u32[8]:random,tickets:u32[1]:zero,serving:u32[1]:zero,total:u32[1]:zero"}});

}  // namespace ticket_lock

// finding: none
// why: one warp fills two buffers in turn, the other empties them; each waits for the other's count
namespace two_buffers_and_their_flags {

__global__ void pipeline(const unsigned* in, unsigned* out) {
  __shared__ unsigned buffer[2][32];
  __shared__ volatile unsigned filled, emptied;
  const unsigned lane = threadIdx.x % 32;
  if (threadIdx.x == 0) filled = emptied = 0;
  __syncthreads();
  for (unsigned step = 0; step < 8; ++step) {
    if (threadIdx.x < 32) {
      while (emptied + 2 <= step) {
      }
      __threadfence_block();
      buffer[step % 2][lane] = 2 * in[32 * step + lane];
      __syncwarp();
      __threadfence_block();
      if (lane == 0) filled = step + 1;
    } else {
      while (filled <= step) {
      }
      __threadfence_block();
      out[32 * step + lane] = buffer[step % 2][lane];
      __syncwarp();
      __threadfence_block();
      if (lane == 0) emptied = step + 1;
    }
  }
}

const LaunchingProgram program("two_buffers_and_their_flags",
                               {{pipeline, "grid=1 block=64 args=in:u32[256]:random,out:u32[256]:poison"}});

}  // namespace two_buffers_and_their_flags

// finding: none
// why: lane 0 waits for a flag, and __syncwarp hands on what it has acquired
namespace lane_that_polls_for_its_warp {

__global__ void hand_over(unsigned* value, unsigned* flag, unsigned* out) {
  const unsigned lane = threadIdx.x;
  if (blockIdx.x == 0) {
    value[lane] = 3 * lane;
    __syncwarp();
    __threadfence();
    if (lane == 0) atomicExch(flag, 1);
  } else {
    if (lane == 0) {
      while (*static_cast<volatile unsigned*>(flag) == 0) {
      }
      __threadfence();
    }
    __syncwarp();
    out[lane] = value[31 - lane];
  }
}

const LaunchingProgram program(
    "lane_that_polls_for_its_warp",
    {{hand_over, "grid=2 block=32 args=value:u32[32]:poison,flag:u32[1]:zero,out:u32[32]:poison"}});

}  // namespace lane_that_polls_for_its_warp

// finding: none
// why: who waits counts its rounds and sleeps longer each time: no state repeats, and it ends
namespace counted_and_slept_away {

__global__ void wait_for(unsigned* flag, unsigned* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 1) {
    atomicExch(flag, 1);
    return;
  }
  unsigned rounds = 0, nanoseconds = 8;
  while (atomicAdd(flag, 0) == 0) {
    ++rounds;
    __nanosleep(nanoseconds);
    if (nanoseconds < 256) nanoseconds *= 2;
  }
  *out = rounds + 1 > 0;
}

const LaunchingProgram program("counted_and_slept_away",
                               {{wait_for, "grid=2 block=32 args=flag:u32[1]:zero,out:u32[1]:poison"}});

}  // namespace counted_and_slept_away

// finding: none
// why: a quarter of a million rounds without an access to memory, and none in the state of another
namespace long_walk_in_registers {

__global__ void walk(unsigned* out) {
  unsigned state = 1, rounds = 0;
  do {
    state = 5 * state + 1 & 0x3ffff;
    ++rounds;
  } while (state != 1);
  if (threadIdx.x == 0) *out = rounds;
}

const LaunchingProgram program("long_walk_in_registers", {{walk, "grid=1 block=1 args=out:u32[1]:poison"}});

}  // namespace long_walk_in_registers

// finding: none
// why: atomicInc starts again at zero, so that the counter serves the next launch; all threads fence
namespace last_block_by_wrapping_counter {

__global__ void sum(const unsigned* in, unsigned* sums, unsigned* counter, unsigned* out) {
  __shared__ unsigned total;
  __shared__ bool is_last;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
  __threadfence();
  if (threadIdx.x == 0) is_last = atomicInc(counter, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!is_last || threadIdx.x != 0) return;
  __threadfence();
  unsigned all = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) all += sums[b];
  *out = all;
}

const LaunchingProgram program(
    "last_block_by_wrapping_counter",
    {{sum,
      "grid=8 block=64 args=in:u32[512]:random,sums:u32[8]:poison,counter:u32[1]:zero,out:u32[1]:poison"}});

}  // namespace last_block_by_wrapping_counter

// finding: none
// why: a barrier that counts generations: the last to come resets the count before it opens the next
namespace grid_barrier_used_again {

__device__ void meet(unsigned* count, unsigned* generation) {
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned mine = atomicAdd(generation, 0);
    __threadfence();
    if (atomicAdd(count, 1) == gridDim.x - 1) {
      atomicExch(count, 0);
      __threadfence();
      atomicAdd(generation, 1);
    } else {
      while (atomicAdd(generation, 0) == mine) {
      }
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void steps(unsigned* a, unsigned* b, unsigned* count, unsigned* generation) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (unsigned step = 0; step < 3; ++step) {
    b[i] = a[n - 1 - i] + step;
    meet(count, generation);
    a[i] = b[(i + 1) % n];
    meet(count, generation);
  }
}

const LaunchingProgram program(
    "grid_barrier_used_again",
    {{steps,
      "grid=4 block=64 cooperative=yes "
      "args=a:u32[256]:random,b:u32[256]:poison,count:u32[1]:zero,generation:u32[1]:zero"}});

}  // namespace grid_barrier_used_again

// finding: none
// why: a whole block polls one word that another block sets, each thread with its own fence
namespace flag_that_many_wait_for {

__global__ void spread(unsigned* value, unsigned* flag, unsigned* out) {
  if (blockIdx.x == 1) {
    if (threadIdx.x == 0) {
      *value = 77;
      __threadfence();
      *static_cast<volatile unsigned*>(flag) = 1;
    }
    return;
  }
  while (*static_cast<volatile unsigned*>(flag) == 0) {
  }
  __threadfence();
  out[threadIdx.x] = *value + threadIdx.x;
}

const LaunchingProgram program(
    "flag_that_many_wait_for",
    {{spread, "grid=2 block=128 args=value:u32[1]:poison,flag:u32[1]:zero,out:u32[128]:poison"}});

}  // namespace flag_that_many_wait_for

// finding: none
// why: a block's status and sum are one word of 8 bytes, read and written at L2, as the look-back of CUB's scan did it
namespace status_and_sum_at_l2 {

struct alignas(8) State {
  unsigned is_known, sum;
};

__device__ State load_at_l2(const State* at) {
  State state;
  asm volatile("ld.global.cg.v2.u32 {%0, %1}, [%2];" : "=r"(state.is_known), "=r"(state.sum) : "l"(at));
  return state;
}
__device__ void store_at_l2(State* at, State state) {
  asm volatile("st.global.cg.v2.u32 [%0], {%1, %2};" ::"l"(at), "r"(state.is_known), "r"(state.sum));
}

__global__ void running_sums(State* state, unsigned* out) {
  if (threadIdx.x != 0) return;
  State before = {1, 0};
  while (blockIdx.x != 0 && (before = load_at_l2(&state[blockIdx.x - 1])).is_known == 0) {
  }
  out[blockIdx.x] = before.sum + blockIdx.x + 1;
  store_at_l2(&state[blockIdx.x], {1, before.sum + blockIdx.x + 1});
}

const LaunchingProgram program("status_and_sum_at_l2",
                               {{running_sums, "grid=8 block=32 args=state:u32[16]:zero,out:u32[8]:poison"}});

}  // namespace status_and_sum_at_l2

// finding: none
// why: no element at all: the guard keeps every thread from the memory
namespace nothing_to_do {

__global__ void scale(const unsigned* in, unsigned* out, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = 2 * in[i];
}

const LaunchingProgram program("nothing_to_do",
                               {{scale, "grid=1 block=64 args=in:u32[0]:zero,out:u32[0]:zero,n:u32:0"}});

}  // namespace nothing_to_do

// finding: none
// why: each block hands its sum to the next, and with it what all before have written
namespace chain_of_blocks {

__global__ void prefix(const float* in, unsigned* flags, float* sums) {
  if (threadIdx.x != 0) return;
  const unsigned b = blockIdx.x;
  float sum = in[b];
  if (b > 0) {
    while (atomicAdd(&flags[b - 1], 0) == 0) {
    }
    __threadfence();
    sum += sums[b - 1] + sums[0];
  }
  sums[b] = sum;
  __threadfence();
  atomicExch(&flags[b], 1);
}

const LaunchingProgram program(
    "chain_of_blocks",
    {{prefix, "grid=16 block=32 args=in:f32[16]:random,flags:u32[16]:zero,sums:f32[16]:poison"}});

}  // namespace chain_of_blocks

// finding: none
// why: all fence, one draws the ticket for them; who is last reads behind a barrier, as NVIDIA's sample does
namespace last_block_without_a_second_fence {

__global__ void sums(const float* in, float* data, unsigned* tickets) {
  __shared__ bool is_last;
  const unsigned t = threadIdx.x;
  data[blockIdx.x * 64 + t] = in[t];
  __threadfence();
  __syncthreads();
  if (t == 0) is_last = atomicAdd(tickets, 1) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  float sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += data[b * 64 + t];
  __syncthreads();
  data[t] = sum;
}

const LaunchingProgram program(
    "last_block_without_a_second_fence",
    {{sums, "grid=4 block=64 args=in:f32[64]:random,data:f32[256]:poison,tickets:u32[1]:zero"}});

}  // namespace last_block_without_a_second_fence

// finding: none
// why: lane 0 sets the volatile flag that all lanes of its warp wait for
namespace warp_that_polls_its_own_flag {

__global__ void copy(const float* in, float* out) {
  __shared__ volatile int flag;
  const unsigned lane = threadIdx.x;
  if (lane == 0) flag = 0;
  __syncwarp();
  if (lane == 0) flag = 1;
  while (flag == 0) {
  }
  out[lane] = in[lane];
}

const LaunchingProgram program("warp_that_polls_its_own_flag",
                               {{copy, "grid=1 block=32 args=in:f32[32]:random,out:f32[32]:poison"}});

}  // namespace warp_that_polls_its_own_flag
