/// \file Volatile, relaxed and fenced accesses by which threads wait, and data that they wait for.
#include "../launching_program.cuh"  // first: it has host code, so that NVRTC ends there

#include <cuda/atomic>

// finding: none
// why: the flag is polled, the value is volatile as well, and a fence of its writer puts it in front of the flag
namespace volatile_value_behind_a_flag {

__global__ void hand_over(unsigned* value, unsigned* flag, unsigned* out) {
  if (threadIdx.x != 0) return;
  const unsigned b = blockIdx.x;
  unsigned received = 100;
  if (b > 0) {
    while (*static_cast<volatile unsigned*>(flag + b - 1) == 0) {
    }
    __threadfence();
    received = *static_cast<volatile unsigned*>(value + b - 1);
  }
  *static_cast<volatile unsigned*>(value + b) = received + 1;
  __threadfence();
  *static_cast<volatile unsigned*>(flag + b) = 1;
  out[b] = received;
}

const LaunchingProgram program(
    "volatile_value_behind_a_flag",
    {{hand_over, "grid=4 block=32 args=value:u32[4]:poison,flag:u32[4]:zero,out:u32[4]:poison"}});

}  // namespace volatile_value_behind_a_flag

// finding: none
// why: the block that draws the last ticket reads sums by volatile loads; each was stored before a fence and a ticket
namespace volatile_sums_of_the_last_block {

__global__ void sum(const unsigned* in, unsigned* memory, unsigned* tickets, unsigned* out) {
  volatile unsigned* sums = memory;
  __shared__ unsigned total;
  __shared__ bool is_last;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = total;
    __threadfence();
    is_last = atomicInc(tickets, gridDim.x) == gridDim.x - 1;
    total = 0;
  }
  __syncthreads();
  if (!is_last) return;
  if (threadIdx.x < gridDim.x) atomicAdd(&total, sums[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) *out = total;
}

const LaunchingProgram program(
    "volatile_sums_of_the_last_block",
    {{sum,
      "grid=8 block=64 args=in:u32[512]:random,memory:u32[8]:poison,tickets:u32[1]:zero,out:u32[1]:poison"}});

}  // namespace volatile_sums_of_the_last_block

// finding: none
// why: one thread a block; who draws the last ticket reads at once, by loads that go past its own caches
namespace sums_at_l2_behind_a_ticket {

__global__ void sum(const unsigned* in, unsigned* sums, unsigned* tickets, unsigned* out) {
  if (threadIdx.x != 0) return;
  __stcg(sums + blockIdx.x, 2 * in[blockIdx.x]);
  __threadfence();
  if (atomicAdd(tickets, 1) != gridDim.x - 1) return;
  unsigned total = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) total += __ldcg(sums + b);
  *out = total;
}

const LaunchingProgram program(
    "sums_at_l2_behind_a_ticket",
    {{sum,
      "grid=8 block=32 args=in:u32[8]:random,sums:u32[8]:poison,tickets:u32[1]:zero,out:u32[1]:poison"}});

}  // namespace sums_at_l2_behind_a_ticket

// finding: none
// why: 32 lanes look back at once; each repeats its read until the status is there, and the sum is in the same word
namespace look_back_by_a_warp {

__device__ unsigned long long status_of(const unsigned long long* at) {
  return *static_cast<const volatile unsigned long long*>(at);
}

__global__ void running_sums(const unsigned* in, unsigned long long* states, unsigned* out) {
  const unsigned lane = threadIdx.x, b = blockIdx.x;
  volatile unsigned long long* mine = states + b;
  const unsigned own = in[b] % 1000;
  if (lane == 0) *mine = (b == 0 ? 2ull : 1ull) << 32 | own;
  unsigned before = 0;
  for (int first = static_cast<int>(b) - 1; first >= 0; first -= 32) {
    const int tile = first - static_cast<int>(lane);
    unsigned long long state = tile < 0 ? 2ull << 32 : status_of(states + tile);
    while (__any_sync(0xffffffffu, state >> 32 == 0)) {
      if (tile >= 0) state = status_of(states + tile);
    }
    const unsigned known = __ballot_sync(0xffffffffu, state >> 32 == 2);
    const unsigned last = known == 0 ? 31 : __ffs(known) - 1;
    unsigned value = lane <= last ? static_cast<unsigned>(state) : 0;
    for (unsigned d = 16; d > 0; d /= 2) value += __shfl_xor_sync(0xffffffffu, value, d);
    before += value;
    if (known != 0) break;
  }
  if (lane != 0) return;
  if (b != 0) *mine = 2ull << 32 | (before + own);
  out[b] = before;
}

const LaunchingProgram program(
    "look_back_by_a_warp",
    {{running_sums, "grid=48 block=32 args=in:u32[48]:random,states:u64[48]:zero,out:u32[48]:poison"}});

}  // namespace look_back_by_a_warp

// finding: none
// why: a warp waits for 20 blocks, a lane for each: the compiler puts the first round in front of the loop
namespace gather_by_a_warp {

__global__ void gather(const unsigned* in, unsigned long long* states, unsigned* out) {
  const unsigned lane = threadIdx.x, last = gridDim.x - 1;
  volatile unsigned long long* words = states;
  if (blockIdx.x != last) {
    if (lane == 0) words[blockIdx.x] = 1ull << 32 | in[blockIdx.x];
    return;
  }
  unsigned long long word = lane < last ? words[lane] : 1ull << 32;
  while (__any_sync(0xffffffffu, word >> 32 == 0)) {
    if (lane < last) word = words[lane];
  }
  out[lane] = static_cast<unsigned>(word);
}

const LaunchingProgram program(
    "gather_by_a_warp",
    {{gather, "grid=21 block=32 args=in:u32[20]:random,states:u64[20]:zero,out:u32[32]:poison"}});

}  // namespace gather_by_a_warp

// finding: none
// why: status and sum in two words: the status is repeated until it is there, then a fence, then the sum, relaxed
namespace look_back_in_two_relaxed_words {

using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
__global__ void running_sums(const unsigned* in, unsigned* status, unsigned* sums, unsigned* out) {
  if (threadIdx.x != 0) return;
  const unsigned b = blockIdx.x;
  unsigned before = 0;
  if (b > 0) {
    while (Word(status[b - 1]).load(cuda::memory_order_relaxed) == 0) {
    }
    __threadfence();
    before = Word(sums[b - 1]).load(cuda::memory_order_relaxed);
  }
  Word(sums[b]).store(before + in[b], cuda::memory_order_relaxed);
  __threadfence();
  Word(status[b]).store(1, cuda::memory_order_relaxed);
  out[b] = before;
}

const LaunchingProgram program(
    "look_back_in_two_relaxed_words",
    {{running_sums,
      "grid=8 block=32 args=in:u32[8]:random,status:u32[8]:zero,sums:u32[8]:poison,out:u32[8]:poison"}});

}  // namespace look_back_in_two_relaxed_words

// finding: none
// why: asked once without the lock and once with it; who finds the flag set fences before it reads the table
namespace flag_asked_twice {

__global__ void fill_once(unsigned* memory, unsigned* table, unsigned* lock, unsigned* out) {
  volatile unsigned* is_filled = memory;
  if (threadIdx.x != 0) return;
  if (*is_filled == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    if (*is_filled == 0) {
      for (unsigned i = 0; i < 4; ++i) table[i] = i * i + 1;
      __threadfence();
      *is_filled = 1;
    }
    __threadfence();
    atomicExch(lock, 0);
  }
  __threadfence();
  out[blockIdx.x] = table[blockIdx.x % 4];
}

const LaunchingProgram program(
    "flag_asked_twice",
    {{fill_once,
      "grid=8 block=32 args=memory:u32[1]:zero,table:u32[4]:poison,lock:u32[1]:zero,out:u32[8]:poison"}});

}  // namespace flag_asked_twice

// finding: none
// why: a sequence lock: what is read while the last block writes is thrown away and read again
namespace sequence_lock {

__global__ void share(unsigned* sequence, unsigned* pair, unsigned* out) {
  volatile unsigned *count = sequence, *values = pair;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == gridDim.x - 1) {
    for (unsigned step = 1; step <= 8; ++step) {
      *count = 2 * step - 1;
      __threadfence();
      values[0] = step;
      values[1] = 10 * step;
      __threadfence();
      *count = 2 * step;
    }
    return;
  }
  unsigned before, a, b, behind;
  do {
    before = *count;
    __threadfence();
    a = values[0];
    b = values[1];
    __threadfence();
    behind = *count;
  } while (before % 2 != 0 || before != behind);
  out[blockIdx.x] = 10 * a - b;
}

const LaunchingProgram program(
    "sequence_lock",
    {{share, "grid=4 block=32 args=sequence:u32[1]:zero,pair:u32[2]:zero,out:u32[4]:poison"}});

}  // namespace sequence_lock

// finding: none
// why: each block waits for its number and stores the next: different values, one after the other, and no other data
namespace blocks_in_turn {

__global__ void take_turns(unsigned* memory, unsigned* out) {
  volatile unsigned* turn = memory;
  if (threadIdx.x != 0) return;
  while (*turn != blockIdx.x) {
  }
  *turn = blockIdx.x + 1;
  out[blockIdx.x] = blockIdx.x;
}

const LaunchingProgram program("blocks_in_turn",
                               {{take_turns, "grid=4 block=32 args=memory:u32[1]:zero,out:u32[4]:poison"}});

}  // namespace blocks_in_turn

// finding: none
// why: a stop sign that each block asks for once a round: it decides how far the block goes, and is no data
namespace stop_sign {

__global__ void work(unsigned* sign, unsigned* out) {
  volatile unsigned* stop = sign;
  __shared__ bool goes_on;
  for (unsigned round = 0; round < 16; ++round) {
    if (threadIdx.x == 0) goes_on = *stop == 0;
    __syncthreads();
    if (!goes_on) break;
    if (threadIdx.x == 0 && round == blockIdx.x + 3) *stop = 1;
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = blockIdx.x;
}

const LaunchingProgram program("stop_sign",
                               {{work, "grid=4 block=64 args=sign:u32[1]:zero,out:u32[4]:poison"}});

}  // namespace stop_sign

// finding: none
// why: lanes poll a word each in shared memory, which the lanes of another warp set behind a fence
namespace a_flag_for_each_lane {

__global__ void hand_over(const unsigned* in, unsigned* out) {
  __shared__ unsigned value[32];
  __shared__ volatile unsigned ready[32];
  const unsigned lane = threadIdx.x % 32;
  if (threadIdx.x < 32) ready[lane] = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    value[lane] = 5 * in[lane];
    __threadfence_block();
    ready[lane] = 1 + lane;
  } else {
    while (ready[31 - lane] == 0) {
    }
    __threadfence_block();
    out[lane] = value[31 - lane];
  }
}

const LaunchingProgram program("a_flag_for_each_lane",
                               {{hand_over, "grid=1 block=64 args=in:u32[32]:random,out:u32[32]:poison"}});

}  // namespace a_flag_for_each_lane

// finding: none
// why: one thread of each block releases and acquires; the barriers hand on what it knows to the others
namespace released_and_acquired_for_a_block {

__global__ void hand_over(const float* in, float* value, unsigned* flag, float* out) {
  const unsigned t = threadIdx.x;
  if (blockIdx.x == 0) {
    value[t] = in[t];
    __syncthreads();
    if (t == 0) asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
  } else {
    if (t == 0) {
      unsigned ready = 0;
      while (ready == 0)
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(ready) : "l"(flag) : "memory");
    }
    __syncthreads();
    out[t] = value[63 - t];
  }
}

const LaunchingProgram program(
    "released_and_acquired_for_a_block",
    {{hand_over,
      "grid=2 block=64 args=in:f32[64]:random,value:f32[64]:poison,flag:u32[1]:zero,out:f32[64]:poison"}});

}  // namespace released_and_acquired_for_a_block
