/// \file Volatile, relaxed and fenced accesses to data: each is made whole, and none waits for another
/// thread.
#include "../launching_program.cuh"  // first: it has host code, so that NVRTC ends there

#include <cuda/atomic>

// finding: race at `if (threadIdx.x % stride == 0) values[i] += values[i + stride];`
// why: volatile in place of the barriers of the first levels, in global memory as in shared memory
namespace tree_of_volatile_pairs {

__global__ void sum(float* data) {
  volatile float* values = data;
  const unsigned i = 2 * threadIdx.x;
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    if (threadIdx.x % stride == 0) values[i] += values[i + stride];
    if (stride >= 16) __syncthreads();
  }
}

const LaunchingProgram program("tree_of_volatile_pairs",
                               {{sum, "grid=1 block=128 args=data:f32[256]:random"}});

}  // namespace tree_of_volatile_pairs

// finding: race at `if (threadIdx.x < stride) values[i] += values[i + stride];`
// why: the last warp goes on without barriers, as if its lanes ran in step
namespace volatile_tail_in_global_memory {

__global__ void sum(float* data) {
  volatile float* values = data;
  const unsigned i = threadIdx.x;
  for (unsigned stride = blockDim.x; stride >= 1; stride /= 2) {
    if (threadIdx.x < stride) values[i] += values[i + stride];
    if (stride > 32) __syncthreads();
  }
}

const LaunchingProgram program("volatile_tail_in_global_memory",
                               {{sum, "grid=1 block=128 args=data:f32[256]:random"}});

}  // namespace volatile_tail_in_global_memory

// finding: race at `if (t % (2 * stride) == 0) partial[t] += partial[t + stride];`
// why: a fence in place of each barrier: it orders the writes of its own thread and waits for nobody
namespace tree_with_fences_for_barriers {

__global__ void sum(const float* in, float* out) {
  __shared__ volatile float partial[128];
  const unsigned t = threadIdx.x;
  partial[t] = in[t];
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (t % (2 * stride) == 0) partial[t] += partial[t + stride];
    __threadfence_block();
  }
  if (t == 0) out[0] = partial[0];
}

const LaunchingProgram program("tree_with_fences_for_barriers",
                               {{sum, "grid=1 block=128 args=in:f32[128]:random,out:f32[1]:poison"}});

}  // namespace tree_with_fences_for_barriers

// finding: race at `if (t % (2 * stride) == 0) values[t] += values[t + stride];`
// why: fences for the whole device, in global memory: each thread still reads when it likes
namespace tree_with_fences_in_global_memory {

__global__ void sum(float* data) {
  volatile float* values = data;
  const unsigned t = threadIdx.x;
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (t % (2 * stride) == 0) values[t] += values[t + stride];
    __threadfence();
  }
}

const LaunchingProgram program("tree_with_fences_in_global_memory",
                               {{sum, "grid=1 block=128 args=data:f32[128]:random"}});

}  // namespace tree_with_fences_in_global_memory

// finding: race at `sums[lane] += sums[lane ^ d];`
// why: every lane reads what another is about to replace, and no __syncwarp() parts the two
namespace butterfly_in_global_memory {

__global__ void sum(unsigned* data) {
  volatile unsigned* sums = data;
  const unsigned lane = threadIdx.x;
  for (unsigned d = 16; d > 0; d /= 2) sums[lane] += sums[lane ^ d];
}

const LaunchingProgram program("butterfly_in_global_memory",
                               {{sum, "grid=1 block=32 args=data:u32[32]:random"}});

}  // namespace butterfly_in_global_memory

// finding: race at `out[b] = *static_cast<volatile unsigned*>(sums + (b + 1) % gridDim.x);` or `*static_cast<volatile unsigned*>(sums + b) = 3 * in[b];`
// why: each block takes the neighbour's word as it comes, before or after that block has stored it
namespace volatile_word_of_a_neighbour {

__global__ void pass(const unsigned* in, unsigned* sums, unsigned* out) {
  if (threadIdx.x != 0) return;
  const unsigned b = blockIdx.x;
  *static_cast<volatile unsigned*>(sums + b) = 3 * in[b];
  out[b] = *static_cast<volatile unsigned*>(sums + (b + 1) % gridDim.x);
}

const LaunchingProgram program("volatile_word_of_a_neighbour",
                               {{pass,
                                 "grid=4 block=32 args=in:u32[4]:iota,sums:u32[4]:zero,out:u32[4]:poison"}});

}  // namespace volatile_word_of_a_neighbour

// finding: race at `*static_cast<volatile unsigned*>(out) = in[blockIdx.x] + blockIdx.x;`
// why: the block that comes last decides what remains, and nobody knows which one that is
namespace volatile_result_of_whoever_comes_last {

__global__ void store(const unsigned* in, unsigned* out) {
  if (threadIdx.x == 0) *static_cast<volatile unsigned*>(out) = in[blockIdx.x] + blockIdx.x;
}

const LaunchingProgram program("volatile_result_of_whoever_comes_last",
                               {{store, "grid=4 block=32 args=in:u32[4]:iota,out:u32[1]:zero"}});

}  // namespace volatile_result_of_whoever_comes_last

// finding: race at `const unsigned right = Word(a[(t + 1) % blockDim.x]).load(cuda::memory_order_relaxed);` or `Word(a[t]).store(a_t + right, cuda::memory_order_relaxed);`
// why: relaxed loads and stores are each made whole, and say nothing of the others
namespace relaxed_neighbours {

using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
__global__ void add(unsigned* a) {
  const unsigned t = threadIdx.x;
  const unsigned a_t = Word(a[t]).load(cuda::memory_order_relaxed);
  const unsigned right = Word(a[(t + 1) % blockDim.x]).load(cuda::memory_order_relaxed);
  Word(a[t]).store(a_t + right, cuda::memory_order_relaxed);
}

const LaunchingProgram program("relaxed_neighbours", {{add, "grid=1 block=64 args=a:u32[64]:random"}});

}  // namespace relaxed_neighbours

// finding: race at `const unsigned left = Word(a[b - 1]).load(cuda::memory_order_acquire);` or `Word(a[b]).store(in[b] + left, cuda::memory_order_release);`
// why: an acquire orders what it has read, but this one does not wait until there is something to read
namespace acquire_that_does_not_wait {

using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
__global__ void chain(const unsigned* in, unsigned* a) {
  if (threadIdx.x != 0) return;
  const unsigned b = blockIdx.x + 1;
  const unsigned left = Word(a[b - 1]).load(cuda::memory_order_acquire);
  Word(a[b]).store(in[b] + left, cuda::memory_order_release);
}

const LaunchingProgram program("acquire_that_does_not_wait",
                               {{chain, "grid=4 block=32 args=in:u32[5]:iota,a:u32[5]:zero"}});

}  // namespace acquire_that_does_not_wait

// finding: race at `const float left = __ldcg(data + i - 1), right = __ldcg(data + i + 1);` or `__stcg(data + i, 0.5f * (left + right));`
// why: all multiprocessors share L2, but no block waits for its neighbour
namespace stencil_at_l2 {

__global__ void smooth(float* data) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const float left = __ldcg(data + i - 1), right = __ldcg(data + i + 1);
  __stcg(data + i, 0.5f * (left + right));
}

const LaunchingProgram program("stencil_at_l2", {{smooth, "grid=2 block=64 args=data:f32[130]:random"}});

}  // namespace stencil_at_l2

// finding: race at `if (right < left) {` or `values[i] = right;` or `values[i + 1] = left;`
// also: race at `const int left = values[i], right = values[i + 1];`
// why: what is compared decides a branch, but nobody waits: the rounds of two pairs of neighbours overlap
namespace sort_of_volatile_neighbours {

__global__ void sort(int* data) {
  volatile int* values = data;
  for (unsigned round = 0; round < 2 * blockDim.x; ++round) {
    const unsigned i = 2 * threadIdx.x + round % 2;
    if (i + 1 == 2 * blockDim.x) continue;
    const int left = values[i], right = values[i + 1];
    if (right < left) {
      values[i] = right;
      values[i + 1] = left;
    }
  }
}

const LaunchingProgram program("sort_of_volatile_neighbours",
                               {{sort, "grid=1 block=64 args=data:s32[128]:random"}});

}  // namespace sort_of_volatile_neighbours

// finding: race at `out[0] = *static_cast<volatile unsigned*>(value);` or `*static_cast<volatile unsigned*>(value) = in[0] + 42;`
// why: the flag is waited for, but no fence puts the value in front of it: two relaxed stores may change places
namespace volatile_value_and_flag_without_fence {

__global__ void hand_over(const unsigned* in, unsigned* value, unsigned* flag, unsigned* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *static_cast<volatile unsigned*>(value) = in[0] + 42;
    *static_cast<volatile unsigned*>(flag) = 1;
  } else {
    while (*static_cast<volatile unsigned*>(flag) == 0) {
    }
    out[0] = *static_cast<volatile unsigned*>(value);
  }
}

const LaunchingProgram program(
    "volatile_value_and_flag_without_fence",
    {{hand_over,
      "grid=2 block=32 args=in:u32[1]:iota,value:u32[1]:zero,flag:u32[1]:zero,out:u32[1]:poison"}});

}  // namespace volatile_value_and_flag_without_fence

// finding: race at `const unsigned other = values[(t + d) % blockDim.x];` or `values[t] = other;`
// why: each thread stores in its own word alone, and no round waits for the round before
namespace largest_of_volatile_words {

__global__ void largest(unsigned* data) {
  volatile unsigned* values = data;
  const unsigned t = threadIdx.x;
  unsigned mine = values[t];
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    const unsigned other = values[(t + d) % blockDim.x];
    if (other > mine) {
      mine = other;
      values[t] = other;
    }
  }
}

const LaunchingProgram program("largest_of_volatile_words",
                               {{largest, "grid=1 block=64 args=data:u32[64]:random"}});

}  // namespace largest_of_volatile_words
