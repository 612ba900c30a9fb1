/// \file Values handed from thread to thread by flags, tickets and locks.
#include "../launching_program.cuh"  // first: it has host code, so that NVRTC ends there

#include <cuda/atomic>

// finding: none
// why: value, fence, flag; flag, fence, value: the message-passing pattern between blocks
namespace flag_with_fences {

__global__ void hand_over(unsigned* value, unsigned* flag, unsigned* out) {
  if (threadIdx.x != 0) return;
  const unsigned b = blockIdx.x;
  unsigned received = 100;
  if (b > 0) {
    while (atomicAdd(&flag[b - 1], 0) == 0) {
    }
    __threadfence();
    received = value[b - 1];
  }
  value[b] = received + 1;
  __threadfence();
  atomicExch(&flag[b], 1);
  out[b] = received;
}

const LaunchingProgram program(
    "flag_with_fences",
    {{hand_over, "grid=4 block=32 args=value:u32[4]:poison,flag:u32[4]:zero,out:u32[4]:poison"}});

}  // namespace flag_with_fences

// finding: none
// why: four flags that one vector load polls: PTX takes a vector for as many accesses as it has elements
namespace flags_read_as_a_vector {

__global__ void gather(unsigned* value, unsigned* flags, unsigned* out) {
  if (threadIdx.x != 0) return;
  const unsigned b = blockIdx.x;
  if (b < 4) {
    value[b] = b + 1;
    __threadfence();
    *(volatile unsigned*)&flags[b] = 1;
    return;
  }
  unsigned a, c, d, e;
  do {
    asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(c), "=r"(d), "=r"(e)
                 : "l"(flags)
                 : "memory");
  } while ((a & c & d & e) == 0);
  __threadfence();
  out[0] = value[0] + value[1] + value[2] + value[3];
}

const LaunchingProgram program(
    "flags_read_as_a_vector",
    {{gather, "grid=5 block=32 args=value:u32[4]:poison,flags:u32[4]:zero,out:u32[1]:poison"}});

}  // namespace flags_read_as_a_vector

// finding: none
// why: cuda::atomic_ref: a release store and an acquire load in place of fences
namespace acquire_and_release {

using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
__global__ void hand_over(unsigned* value, unsigned* flag, unsigned* out) {
  if (threadIdx.x != 0) return;
  const unsigned b = blockIdx.x;
  unsigned received = 7;
  if (b > 0) {
    while (Flag(flag[b - 1]).load(cuda::memory_order_acquire) == 0) {
    }
    received = value[b - 1];
  }
  value[b] = received + 1;
  Flag(flag[b]).store(1, cuda::memory_order_release);
  out[b] = received;
}

const LaunchingProgram program(
    "acquire_and_release",
    {{hand_over, "grid=4 block=32 args=value:u32[4]:poison,flag:u32[4]:zero,out:u32[4]:poison"}});

}  // namespace acquire_and_release

// finding: none
// why: one warp polls a volatile flag of another, with fences around the value
namespace volatile_flag_between_warps {

__global__ void relay(unsigned* out) {
  __shared__ unsigned value[4];
  __shared__ volatile unsigned ready[4];
  const unsigned warp = threadIdx.x / 32;
  if (threadIdx.x < 4) ready[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x % 32 != 0) return;
  unsigned received = 1;
  if (warp > 0) {
    while (ready[warp - 1] == 0) {
    }
    __threadfence_block();
    received = value[warp - 1];
  }
  value[warp] = 3 * received;
  __threadfence_block();
  ready[warp] = 1;
  out[warp] = received;
}

const LaunchingProgram program("volatile_flag_between_warps",
                               {{relay, "grid=1 block=128 args=out:u32[4]:poison"}});

}  // namespace volatile_flag_between_warps

// finding: none
// why: the block that draws the last ticket adds the sums: fence, ticket, fence, barrier
namespace last_block_by_ticket {

__device__ unsigned block_sum(unsigned value, unsigned* partial) {
  const unsigned t = threadIdx.x;
  partial[t] = value;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  return partial[0];
}
__global__ void sum(const unsigned* in, unsigned* sums, unsigned* tickets, unsigned* out) {
  __shared__ unsigned partial[64];
  __shared__ bool is_last;
  const unsigned t = threadIdx.x;
  const unsigned total = block_sum(in[blockIdx.x * blockDim.x + t], partial);
  if (t == 0) {
    sums[blockIdx.x] = total;
    __threadfence();
    is_last = atomicAdd(tickets, 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
  const unsigned all = block_sum(t < gridDim.x ? sums[t] : 0, partial);
  if (t == 0) out[0] = all;
}

const LaunchingProgram program(
    "last_block_by_ticket",
    {{sum,
      "grid=8 block=64 args=in:u32[512]:random,sums:u32[8]:poison,tickets:u32[1]:zero,out:u32[1]:poison"}});

}  // namespace last_block_by_ticket

// finding: none
// why: flag and value in two words, ordered by a fence on either side
namespace look_back_with_fences {

__global__ void prefix(const unsigned* in, unsigned* value, unsigned* flag, unsigned* out) {
  __shared__ unsigned sum;
  const unsigned t = threadIdx.x, b = blockIdx.x;
  if (t == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[b * blockDim.x + t] % 1000);
  __syncthreads();
  if (t == 0) {
    unsigned before = 0;
    if (b > 0) {
      while (*static_cast<volatile unsigned*>(flag + b - 1) == 0) {
      }
      __threadfence();
      before = value[b - 1];
    }
    value[b] = before + sum;
    __threadfence();
    *static_cast<volatile unsigned*>(flag + b) = 1;
    out[b] = before;
  }
}

const LaunchingProgram program(
    "look_back_with_fences",
    {{prefix,
      "grid=8 block=64 args=in:u32[512]:random,value:u32[8]:poison,flag:u32[8]:zero,out:u32[8]:poison"}});

}  // namespace look_back_with_fences

// finding: none
// why: flag and value travel in one 64-bit word, so one load sees both
namespace look_back_packed {

__global__ void prefix(const unsigned* in, unsigned long long* state, unsigned* out) {
  __shared__ unsigned before;
  const unsigned lane = threadIdx.x, i = blockIdx.x * blockDim.x + lane;
  unsigned value = in[i] % 1000;
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned other = __shfl_up_sync(0xffffffffu, value, d);
    if (lane >= d) value += other;
  }
  if (lane == 31) {
    unsigned sum = 0;
    if (blockIdx.x > 0) {
      unsigned long long word = 0;
      do {
        word = *static_cast<volatile unsigned long long*>(state + blockIdx.x - 1);
      } while (word >> 32 == 0);
      sum = static_cast<unsigned>(word);
    }
    atomicExch(state + blockIdx.x, 1ull << 32 | (sum + value));
    before = sum;
  }
  __syncwarp();
  out[i] = before + value;
}

const LaunchingProgram program(
    "look_back_packed",
    {{prefix, "grid=8 block=32 args=in:u32[256]:random,state:u64[8]:zero,out:u32[256]:poison"}});

}  // namespace look_back_packed

// finding: none
// why: all blocks meet at a counter; barrier and fence carry the order to every thread
namespace grid_barrier {

__device__ void meet(unsigned* arrived) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void two_steps(const unsigned* in, unsigned* middle, unsigned* arrived, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  middle[i] = 2 * in[i];
  meet(arrived);
  out[i] = middle[n - 1 - i];
}

const LaunchingProgram program(
    "grid_barrier",
    {{two_steps,
      "grid=4 block=64 cooperative=yes "
      "args=in:u32[256]:random,middle:u32[256]:poison,arrived:u32[1]:zero,out:u32[256]:poison"}});

}  // namespace grid_barrier

// finding: none
// why: a spin lock with a fence on each side protects plain reads and writes
namespace lock_between_blocks {

__global__ void sum(const unsigned* in, unsigned* lock, unsigned* total) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *total += in[blockIdx.x];
  __threadfence();
  atomicExch(lock, 0);
}

const LaunchingProgram program("lock_between_blocks",
                               {{sum,
                                 "grid=6 block=64 args=in:u32[6]:iota,lock:u32[1]:zero,total:u32[1]:zero"}});

}  // namespace lock_between_blocks

// finding: none
// why: every lane takes the lock in its turn: lanes make progress independently
namespace lock_inside_a_warp {

__global__ void sum(const unsigned* in, unsigned* lock, unsigned* total) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *total += in[i];
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

const LaunchingProgram program(
    "lock_inside_a_warp",
    {{sum, "grid=2 block=64 args=in:u32[128]:random,lock:u32[1]:zero,total:u32[1]:zero"}});

}  // namespace lock_inside_a_warp

// finding: none
// why: atomicCAS in a loop until nobody came between
namespace lock_free_maximum {

__global__ void largest(const float* in, unsigned* out) {
  const float value = fabsf(in[blockIdx.x * blockDim.x + threadIdx.x]);
  unsigned seen = atomicAdd(out, 0);
  while (__uint_as_float(seen) < value) {
    const unsigned before = atomicCAS(out, seen, __float_as_uint(value));
    if (before == seen) break;
    seen = before;
  }
}

const LaunchingProgram program("lock_free_maximum",
                               {{largest, "grid=2 block=64 args=in:f32[128]:random,out:u32[1]:zero"}});

}  // namespace lock_free_maximum

// finding: none
// why: a stale first guess of a compare-and-swap loop costs one more round, and nothing else
namespace first_guess_of_an_exchange {

__device__ void add(unsigned long long* place, unsigned long long value) {
  unsigned long long old = *place;
  unsigned long long assumed;
  do {
    assumed = old;
    old = atomicCAS(place, assumed, assumed + value);
  } while (assumed != old);
}

__global__ void sum(const unsigned* in, unsigned long long* total) {
  __shared__ unsigned long long of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  add(&of_block, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) add(total, of_block);
}

const LaunchingProgram program("first_guess_of_an_exchange",
                               {{sum, "grid=4 block=64 args=in:u32[256]:random,total:u64[1]:zero"}});

}  // namespace first_guess_of_an_exchange

// finding: none
// why: a flag of 64 bits, beside a counter of 32, is set behind a fence, and reset by who has seen it
namespace flag_of_two_words {

struct Mailbox {
  unsigned long long flag;
  unsigned readers, message;
};
__global__ void pass(unsigned long long* memory, unsigned* out) {
  auto* mailbox = reinterpret_cast<Mailbox*>(memory);
  if (threadIdx.x != 0) return;
  atomicAdd(&mailbox->readers, 1u);
  if (blockIdx.x == 0) {
    mailbox->message = 7;
    __threadfence();
    atomicExch(&mailbox->flag, 0x100000001ull);
  } else {
    while (atomicAdd(&mailbox->flag, 0ull) == 0) {
    }
    __threadfence();
    *out = mailbox->message;
    mailbox->flag = 0;
  }
}

const LaunchingProgram program("flag_of_two_words",
                               {{pass, "grid=2 block=32 args=memory:u64[2]:zero,out:u32[1]:poison"}});

}  // namespace flag_of_two_words
