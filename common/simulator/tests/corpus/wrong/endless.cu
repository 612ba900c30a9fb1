/// \file Threads that wait for each other, or go on for ever.
#include "../launching_program.cuh"

// finding: deadlock at `while (ready == 0) continue;`
// why: thread 256 of a block of 256 is to set the flag
namespace flag_that_nobody_sets {

__global__ void wait_for(unsigned* out) {
  __shared__ volatile unsigned ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == blockDim.x) ready = 1;
  while (ready == 0) continue;
  out[threadIdx.x] = 1;
}

const LaunchingProgram program("flag_that_nobody_sets",
                               {{wait_for, "grid=1 block=256 args=out:u32[256]:poison"}});

}  // namespace flag_that_nobody_sets

// finding: deadlock at `while (shared_flags[1 - lane] == 0) continue;`
// why: each of two lanes waits for the flag that the other sets afterwards
namespace lanes_that_wait_for_each_other {

__global__ void handshake(unsigned* flags) {
  volatile unsigned* shared_flags = flags;
  const unsigned lane = threadIdx.x;
  if (lane < 2) {
    while (shared_flags[1 - lane] == 0) continue;
    shared_flags[lane] = 1;
  }
}

const LaunchingProgram program("lanes_that_wait_for_each_other",
                               {{handshake, "grid=1 block=32 args=flags:u32[2]:zero"}});

}  // namespace lanes_that_wait_for_each_other

// finding: deadlock at `while (*ready == 0) continue;`
// why: thread 0 waits for a flag that is set behind a barrier it has not reached
namespace spin_before_the_barrier {

__global__ void wait_for(unsigned* flag) {
  volatile unsigned* ready = flag;
  if (threadIdx.x == 0) {
    while (*ready == 0) continue;
  }
  __syncthreads();
  if (threadIdx.x == 32) *ready = 1;
}

const LaunchingProgram program("spin_before_the_barrier",
                               {{wait_for, "grid=1 block=64 args=flag:u32[1]:zero"}});

}  // namespace spin_before_the_barrier

// finding: deadlock at `while (*ready == 0) continue;`
// why: lane 0 waits for lane 1, which waits for lane 0 at the __syncwarp
namespace spin_before_the_syncwarp {

__global__ void wait_for(unsigned* flag) {
  volatile unsigned* ready = flag;
  if (threadIdx.x == 0) {
    while (*ready == 0) continue;
  }
  __syncwarp();
  if (threadIdx.x == 1) *ready = 1;
}

const LaunchingProgram program("spin_before_the_syncwarp",
                               {{wait_for, "grid=1 block=32 args=flag:u32[1]:zero"}});

}  // namespace spin_before_the_syncwarp

// finding: deadlock at `while (atomicCAS(lock, 0, 1) != 0) continue;`
// why: the thread that holds the lock returns with it
namespace lock_never_released {

__global__ void sum(unsigned* lock, unsigned* total) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) continue;
  atomicAdd(total, 1);
}

const LaunchingProgram program("lock_never_released",
                               {{sum, "grid=2 block=32 args=lock:u32[1]:zero,total:u32[1]:zero"}});

}  // namespace lock_never_released

// finding: deadlock at `while (atomicCAS(&locks[1 - mine], 0, 1) != 0) continue;`
// why: two warps take two locks in opposite order
namespace locks_in_opposite_order {

__global__ void transfer(unsigned* locks, unsigned* waiting, unsigned* out) {
  if (threadIdx.x % 32 != 0) return;
  const unsigned mine = threadIdx.x / 32;
  while (atomicCAS(&locks[mine], 0, 1) != 0) {
  }
  atomicAdd(waiting, 1);
  while (atomicAdd(waiting, 0) < 2) {  // so that both hold their first lock
  }
  while (atomicCAS(&locks[1 - mine], 0, 1) != 0) continue;
  out[mine] = 1;
  atomicExch(&locks[1 - mine], 0);
  atomicExch(&locks[mine], 0);
}

const LaunchingProgram program(
    "locks_in_opposite_order",
    {{transfer, "grid=1 block=64 args=locks:u32[2]:zero,waiting:u32[1]:zero,out:u32[2]:zero"}});

}  // namespace locks_in_opposite_order

// finding: timeout from `while (low < high) {` to 1st `}`
// why: low = middle makes no progress once two elements are left
namespace search_that_never_ends {

__global__ void search(const unsigned* in, unsigned* out) {
  unsigned low = 0, high = 64;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (in[middle] <= threadIdx.x)
      low = middle;
    else
      high = middle;
  }
  out[threadIdx.x] = low;
}

const LaunchingProgram program("search_that_never_ends",
                               {{search, "grid=1 block=32 args=in:u32[64]:iota,out:u32[32]:poison"}});

}  // namespace search_that_never_ends

// finding: timeout from `for (unsigned stride = 32; stride > 0; stride = (stride + 1) / 2) {` to 1st `}`
// why: (stride + 1) / 2 stays at 1 for ever
namespace stride_that_never_ends {

__global__ void sum(const float* in, float* out) {
  __shared__ float partial[128];
  const unsigned t = threadIdx.x;
  partial[t] = in[t];
  partial[t + 64] = 0;
  __syncthreads();
  for (unsigned stride = 32; stride > 0; stride = (stride + 1) / 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0) out[0] = partial[0];
}

const LaunchingProgram program("stride_that_never_ends",
                               {{sum, "grid=1 block=64 args=in:f32[64]:random,out:f32[1]:poison"}});

}  // namespace stride_that_never_ends
