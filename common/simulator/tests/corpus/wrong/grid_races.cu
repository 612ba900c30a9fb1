/// \file Blocks that meet in global memory.
#include "../launching_program.cuh"

// finding: race at `if (threadIdx.x == 0) *out += value;`
// why: read, add and write of several blocks interleave
namespace plain_sum_by_several_blocks {

__global__ void sum(const float* in, float* out) {
  float value = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (unsigned d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
  if (threadIdx.x == 0) *out += value;
}

const LaunchingProgram program("plain_sum_by_several_blocks",
                               {{sum, "grid=8 block=32 args=in:f32[256]:random,out:f32[1]:zero"}});

}  // namespace plain_sum_by_several_blocks

// finding: race at `out[blockIdx.x * blockDim.x + threadIdx.x] = *counter;` or `atomicAdd(counter, 1);`
// why: the counter is read while other threads still add to it
namespace plain_read_beside_atomics {

__global__ void count(unsigned* counter, unsigned* out) {
  atomicAdd(counter, 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = *counter;
}

const LaunchingProgram program("plain_read_beside_atomics",
                               {{count, "grid=2 block=64 args=counter:u32[1]:zero,out:u32[128]:poison"}});

}  // namespace plain_read_beside_atomics

// finding: race at `if (t == 0) data[blockIdx.x] = partial[0];` or `partial[t] = data[blockIdx.x * blockDim.x + t];`
// why: a block writes its sum where another block still reads its input
namespace in_place_second_level {

__global__ void sum_in_place(float* data) {
  __shared__ float partial[64];
  const unsigned t = threadIdx.x;
  partial[t] = data[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0) data[blockIdx.x] = partial[0];
}

const LaunchingProgram program("in_place_second_level",
                               {{sum_in_place, "grid=4 block=64 args=data:f32[256]:random"}});

}  // namespace in_place_second_level

// finding: race at `data[i] = 0.5f * (left + right);` or `const float left = data[i - 1], right = data[i + 1];`
// why: each element is replaced while its neighbours still need the old one
namespace stencil_in_place {

__global__ void smooth(float* data) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const float left = data[i - 1], right = data[i + 1];
  data[i] = 0.5f * (left + right);
}

const LaunchingProgram program("stencil_in_place", {{smooth, "grid=2 block=64 args=data:f32[130]:random"}});

}  // namespace stencil_in_place

// finding: race at `out[i] = middle[n - 1 - i];` or `middle[i] = 2 * in[i];`
// why: blocks read what other blocks of the same launch write
namespace sum_between_launch_halves {

__global__ void two_steps(const float* in, float* middle, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  middle[i] = 2 * in[i];
  __syncthreads();
  out[i] = middle[n - 1 - i];
}

const LaunchingProgram program(
    "sum_between_launch_halves",
    {{two_steps, "grid=4 block=32 args=in:f32[128]:random,middle:f32[128]:zero,out:f32[128]:poison"}});

}  // namespace sum_between_launch_halves

// finding: race at `for (unsigned b = 0; b < gridDim.x; ++b) total += sums[b];` or `sums[blockIdx.x] = partial[0];`
// why: the last block may see the ticket before it sees the sums
namespace ticket_without_fence {

__global__ void sum(const float* in, float* sums, unsigned* tickets, float* out) {
  __shared__ float partial[64];
  const unsigned t = threadIdx.x;
  partial[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t != 0) return;
  sums[blockIdx.x] = partial[0];
  if (atomicAdd(tickets, 1) != gridDim.x - 1) return;
  float total = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) total += sums[b];
  out[0] = total;
}

const LaunchingProgram program(
    "ticket_without_fence",
    {{sum,
      "grid=8 block=64 args=in:f32[512]:random,sums:f32[8]:poison,tickets:u32[1]:zero,out:f32[1]:poison"}});

}  // namespace ticket_without_fence

// finding: race at `out[0] = value[0];` or `value[0] = in[0] + 42;`
// why: a fence of block scope does not order what another block sees
namespace block_fence_between_blocks {

__global__ void hand_over(const unsigned* in, unsigned* value, unsigned* flag, unsigned* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    value[0] = in[0] + 42;
    __threadfence_block();
    atomicExch(flag, 1u);
  } else {
    while (atomicAdd(flag, 0u) == 0) {
    }
    __threadfence_block();
    out[0] = value[0];
  }
}

const LaunchingProgram program(
    "block_fence_between_blocks",
    {{hand_over,
      "grid=2 block=32 args=in:u32[2]:iota,value:u32[1]:poison,flag:u32[1]:zero,out:u32[1]:poison"}});

}  // namespace block_fence_between_blocks

// finding: race at `__global__ void count(unsigned* counter) { atomicAdd_block(counter, 1u); }`
// why: atomics of block scope do not exclude other blocks
namespace block_scope_between_blocks {

__global__ void count(unsigned* counter) { atomicAdd_block(counter, 1u); }

const LaunchingProgram program("block_scope_between_blocks",
                               {{count, "grid=4 block=64 args=counter:u32[1]:zero"}});

}  // namespace block_scope_between_blocks

// finding: race at `*total += in[blockIdx.x];`
// why: the lock admits one thread at a time but does not order what each did inside
namespace lock_without_fences {

__global__ void sum(const unsigned* in, unsigned* lock, unsigned* total) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *total += in[blockIdx.x];
  atomicExch(lock, 0);
}

const LaunchingProgram program("lock_without_fences",
                               {{sum,
                                 "grid=4 block=32 args=in:u32[4]:iota,lock:u32[1]:zero,total:u32[1]:zero"}});

}  // namespace lock_without_fences

// finding: race at `sum += value[b - 1];` or `value[b] = sum;`
// why: the flag and the value it announces are read by two unordered loads
namespace look_back_unordered_loads {

__global__ void prefix(const unsigned* in, unsigned* value, unsigned* flag, unsigned* out) {
  if (threadIdx.x != 0) return;
  const unsigned b = blockIdx.x;
  unsigned sum = in[b];
  if (b > 0) {
    while (*static_cast<volatile unsigned*>(flag + b - 1) == 0) {
    }
    sum += value[b - 1];
  }
  value[b] = sum;
  __threadfence();
  *static_cast<volatile unsigned*>(flag + b) = 1;
  out[b] = sum;
}

const LaunchingProgram program(
    "look_back_unordered_loads",
    {{prefix, "grid=4 block=32 args=in:u32[4]:iota,value:u32[4]:poison,flag:u32[4]:zero,out:u32[4]:poison"}});

}  // namespace look_back_unordered_loads

// finding: race at `if (*out >= value) return;`
// why: a plain read beside the exchanges decides whether to exchange at all: it is no guess
namespace plain_read_that_decides {

__global__ void largest(const unsigned* in, unsigned* out) {
  const unsigned value = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (*out >= value) return;
  unsigned old = atomicAdd(out, 0), assumed;
  do {
    assumed = old;
    old = atomicCAS(out, assumed, max(assumed, value));
  } while (assumed != old);
}

const LaunchingProgram program("plain_read_that_decides",
                               {{largest, "grid=4 block=64 args=in:u32[256]:random,out:u32[1]:zero"}});

}  // namespace plain_read_that_decides

// finding: race at `*total += in[blockIdx.x];`
// why: the tickets say whose turn it is, but nothing says that the last holder's write has arrived
namespace ticket_lock_without_fences {

__global__ void sum(const unsigned* in, unsigned* tickets, unsigned* serving, unsigned* total) {
  if (threadIdx.x != 0) return;
  const unsigned mine = atomicAdd(tickets, 1);
  while (atomicAdd(serving, 0) != mine) {
  }
  *total += in[blockIdx.x];
  atomicAdd(serving, 1);
}

const LaunchingProgram program(
    "ticket_lock_without_fences",
    {{sum,
      "grid=8 block=32 args=in:u32[8]:random,tickets:u32[1]:zero,serving:u32[1]:zero,total:u32[1]:zero"}});

}  // namespace ticket_lock_without_fences

// finding: race at `if (blockIdx.x == 1) out[threadIdx.x] = __ldcg(value);` or `if (blockIdx.x == 0 && threadIdx.x == 0) *value = 7;`
// why: one side names L2, and the other is a plain store: nothing says when that one is to be seen
namespace plain_store_read_at_l2 {

__global__ void hand_over(unsigned* value, unsigned* out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *value = 7;
  if (blockIdx.x == 1) out[threadIdx.x] = __ldcg(value);
}

const LaunchingProgram program("plain_store_read_at_l2",
                               {{hand_over, "grid=2 block=32 args=value:u32[1]:zero,out:u32[32]:poison"}});

}  // namespace plain_store_read_at_l2

// finding: race at `const unsigned seen = *next;`
// also: race at `const unsigned old = atomicCAS(next, 2 * seen + 1, seen + 2);`
// why: the exchange compares with a number that was computed from what was read: no guess, whatever comes of it
namespace number_computed_from_a_plain_read {

__global__ void claim(unsigned* next, unsigned* out) {
  const unsigned seen = *next;
  const unsigned old = atomicCAS(next, 2 * seen + 1, seen + 2);
  out[blockIdx.x * blockDim.x + threadIdx.x] = old;
}

const LaunchingProgram program("number_computed_from_a_plain_read",
                               {{claim, "grid=2 block=64 args=next:u32[1]:zero,out:u32[128]:poison"}});

}  // namespace number_computed_from_a_plain_read

// finding: race at `const unsigned seen = *word;`
// also: race at `const unsigned old = atomicCAS(word, seen | mine, seen);`
// why: a bit is added to what was read before it is compared with
namespace bit_added_to_a_plain_read {

__global__ void claim(unsigned* word, unsigned* out) {
  const unsigned mine = 1u << threadIdx.x % 32;
  const unsigned seen = *word;
  const unsigned old = atomicCAS(word, seen | mine, seen);
  out[blockIdx.x * blockDim.x + threadIdx.x] = old;
}

const LaunchingProgram program("bit_added_to_a_plain_read",
                               {{claim, "grid=2 block=64 args=word:u32[1]:zero,out:u32[128]:poison"}});

}  // namespace bit_added_to_a_plain_read

// finding: race at `entries[t % 32].owner = static_cast<unsigned char>(1 + blockIdx.x);`
// why: each thread has a key of its own, but both blocks mark the same entries, each with another number
namespace mark_of_an_entry_in_two_blocks {

struct Entry {
  unsigned long long keys[2];
  unsigned char owner, spare[7];
};
__global__ void take(unsigned long long* table) {
  auto* entries = reinterpret_cast<Entry*>(table);
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  entries[t / 2].keys[t % 2] = t;
  entries[t % 32].owner = static_cast<unsigned char>(1 + blockIdx.x);
}

const LaunchingProgram program("mark_of_an_entry_in_two_blocks",
                               {{take, "grid=2 block=32 args=table:u64[96]:zero"}});

}  // namespace mark_of_an_entry_in_two_blocks

// finding: race at `reinterpret_cast<unsigned char*>(numbers + t)[6] = 7;` or `numbers[t] = t;`
// why: one block writes a byte of the numbers that the other writes whole
namespace byte_of_a_number_of_another_block {

__global__ void set(unsigned long long* numbers) {
  const unsigned t = 5 * threadIdx.x;
  if (blockIdx.x == 0)
    numbers[t] = t;
  else
    reinterpret_cast<unsigned char*>(numbers + t)[6] = 7;
}

const LaunchingProgram program("byte_of_a_number_of_another_block",
                               {{set, "grid=2 block=32 args=numbers:u64[160]:zero"}});

}  // namespace byte_of_a_number_of_another_block

// finding: race at `if (is_last && t < gridDim.x) out[t] = sums[t] * 2;` or `sums[blockIdx.x] = in[blockIdx.x];`
// why: the fence stands in front of the store that it should put before the ticket
namespace ticket_behind_a_fence_that_comes_too_early {

__global__ void twice(const float* in, float* sums, unsigned* tickets, float* out) {
  __shared__ bool is_last;
  const unsigned t = threadIdx.x;
  if (t == 0) {
    __threadfence();
    sums[blockIdx.x] = in[blockIdx.x];
    is_last = atomicAdd(tickets, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && t < gridDim.x) out[t] = sums[t] * 2;
}

const LaunchingProgram program(
    "ticket_behind_a_fence_that_comes_too_early",
    {{twice,
      "grid=4 block=64 args=in:f32[4]:random,sums:f32[4]:poison,tickets:u32[1]:zero,out:f32[4]:poison"}});

}  // namespace ticket_behind_a_fence_that_comes_too_early

// finding: race at `out[i + 128] = __ldg(&out[blockIdx.x * 64 + 63 - threadIdx.x]);`
// why: __ldg() promises that nobody writes there while the kernel runs, whatever barrier lies between
namespace read_only_path_to_what_is_written {

__global__ void reverse(const float* in, float* out) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  out[i] = in[i];
  __syncthreads();
  out[i + 128] = __ldg(&out[blockIdx.x * 64 + 63 - threadIdx.x]);
}

const LaunchingProgram program("read_only_path_to_what_is_written",
                               {{reverse, "grid=2 block=64 args=in:f32[128]:random,out:f32[256]:poison"}});

}  // namespace read_only_path_to_what_is_written
