/// \file Barriers that only some threads reach, or that others never will.
#include "../launching_program.cuh"

// finding: barrier at 1st `__syncthreads();` or 2nd `__syncthreads();`
// also: race at `out[t] = s[255 - t];`
// why: some threads wait at one barrier and the rest at another
namespace barrier_in_divergent_branch {

__global__ void reverse(const float* in, float* out) {
  __shared__ float s[256];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  if (t < 100) {
    __syncthreads();
    s[t] += 1;
  }
  __syncthreads();
  out[t] = s[255 - t];
}

const LaunchingProgram program("barrier_in_divergent_branch",
                               {{reverse, "grid=1 block=256 args=in:f32[256]:random,out:f32[256]:poison"}});

}  // namespace barrier_in_divergent_branch

// finding: barrier at 2nd `__syncthreads();` or 3rd `__syncthreads();`
// also: race at `partial[t] += partial[t + stride];`
// also: race at `if (t == blockDim.x - 1) out[0] = partial[0];`
// why: idle threads skip the barrier of each level
namespace barrier_inside_the_if {

__global__ void sum(const float* in, float* out) {
  __shared__ float partial[128];
  const unsigned t = threadIdx.x;
  partial[t] = in[t];
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (t % (2 * stride) == 0) {
      partial[t] += partial[t + stride];
      __syncthreads();
    }
  }
  __syncthreads();
  if (t == blockDim.x - 1) out[0] = partial[0];
}

const LaunchingProgram program("barrier_inside_the_if",
                               {{sum, "grid=1 block=128 args=in:f32[128]:random,out:f32[1]:poison"}});

}  // namespace barrier_inside_the_if

// finding: barrier at 1st `__syncthreads();` or 2nd `__syncthreads();`
// also: race at `s[t] += 1;`
// also: race at `out[t] = s[63 - t];`
// why: threads run through the barrier a different number of times
namespace barrier_in_a_loop_of_own_length {

__global__ void walk(const float* in, float* out) {
  __shared__ float s[64];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  for (unsigned i = 0; i < t / 16; ++i) {
    __syncthreads();
    s[t] += 1;
  }
  __syncthreads();
  out[t] = s[63 - t];
}

const LaunchingProgram program("barrier_in_a_loop_of_own_length",
                               {{walk, "grid=1 block=64 args=in:f32[64]:random,out:f32[64]:poison"}});

}  // namespace barrier_in_a_loop_of_own_length

// finding: barrier at 1st `__syncthreads();` or 2nd `__syncthreads();`
// also: race at `out[t] = s[127 - t] + 1;`
// also: race at `out[t] = s[127 - t] * 3;`
// why: two halves of the block each wait at a barrier of their own
namespace barriers_at_different_places {

__global__ void halves(const float* in, float* out) {
  __shared__ float s[128];
  const unsigned t = threadIdx.x;
  if (t < 64) {
    s[t] = in[t];
    __syncthreads();
    out[t] = s[127 - t] + 1;
  } else {
    s[t] = 2 * in[t];
    __syncthreads();
    out[t] = s[127 - t] * 3;
  }
}

const LaunchingProgram program("barriers_at_different_places",
                               {{halves, "grid=1 block=128 args=in:f32[128]:random,out:f32[128]:poison"}});

}  // namespace barriers_at_different_places

// finding: barrier|deadlock at `asm volatile("bar.sync %0, 64;" ::"r"(1 + warp) : "memory");` or `asm volatile("bar.sync %0, 64;" ::"r"(2 - warp) : "memory");`
// why: two warps wait at two named barriers, each at the other's second
namespace barriers_in_opposite_order {

__global__ void cross(unsigned* out) {
  const unsigned warp = threadIdx.x / 32;
  asm volatile("bar.sync %0, 64;" ::"r"(1 + warp) : "memory");
  asm volatile("bar.sync %0, 64;" ::"r"(2 - warp) : "memory");
  out[threadIdx.x] = warp;
}

const LaunchingProgram program("barriers_in_opposite_order",
                               {{cross, "grid=1 block=64 args=out:u32[64]:poison"}});

}  // namespace barriers_in_opposite_order

// finding: barrier|deadlock at `asm volatile("bar.sync 1, 256;" ::: "memory");`
// why: a barrier with a thread count waits for threads that have left
namespace counted_barrier_after_early_return {

__global__ void copy(const float* in, float* out, unsigned n) {
  __shared__ float s[256];
  const unsigned t = threadIdx.x;
  if (t >= n) return;
  s[t] = in[t];
  asm volatile("bar.sync 1, 256;" ::: "memory");
  out[t] = s[n - 1 - t];
}

const LaunchingProgram program("counted_barrier_after_early_return",
                               {{copy,
                                 "grid=1 block=256 args=in:f32[200]:random,out:f32[200]:poison,n:u32:200"}});

}  // namespace counted_barrier_after_early_return

// finding: barrier|deadlock at `if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;" ::: "memory");` or `__syncthreads();`
// why: 32 threads wait at a barrier that asks for 64
namespace named_barrier_too_few {

__global__ void wait_for(unsigned* out) {
  if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;" ::: "memory");
  __syncthreads();
  out[threadIdx.x] = threadIdx.x;
}

const LaunchingProgram program("named_barrier_too_few",
                               {{wait_for, "grid=1 block=64 args=out:u32[64]:poison"}});

}  // namespace named_barrier_too_few

// finding: unsupported at `asm volatile("bar.sync %0, 32;" ::"r"(warp) : "memory");`
// why: a named barrier for each warp of a block of 32 warps: there are 16 barriers
namespace barrier_beyond_the_sixteenth {

__global__ void by_warp(unsigned* out) {
  const unsigned warp = threadIdx.x / 32;
  asm volatile("bar.sync %0, 32;" ::"r"(warp) : "memory");
  out[threadIdx.x] = warp;
}

const LaunchingProgram program("barrier_beyond_the_sixteenth",
                               {{by_warp, "grid=1 block=1024 args=out:u32[1024]:poison"}});

}  // namespace barrier_beyond_the_sixteenth

// finding: sync|barrier|deadlock at `__syncwarp();` or 1st `__syncthreads();`
// also: sync|barrier|deadlock at `__syncwarp();` or 1st `__syncthreads();` or 2nd `__syncthreads();`
// why: half a warp waits for the warp, the other half for the block
namespace syncwarp_against_syncthreads {

__global__ void cross(unsigned* out) {
  if (threadIdx.x % 32 < 16) {
    __syncwarp();
  } else {
    __syncthreads();
  }
  __syncthreads();
  out[threadIdx.x] = 1;
}

const LaunchingProgram program("syncwarp_against_syncthreads",
                               {{cross, "grid=1 block=64 args=out:u32[64]:poison"}});

}  // namespace syncwarp_against_syncthreads

// finding: barrier at `__syncthreads();`
// why: half the block skips its only barrier, and goes on to the end
namespace barrier_in_the_if_alone {

__global__ void shift(const float* in, float* out) {
  __shared__ float partial[64];
  const unsigned t = threadIdx.x;
  partial[t] = in[t];
  if (t < 32) {
    partial[t] += 1;
    __syncthreads();
  } else {
    partial[t] -= 1;
  }
  out[blockIdx.x * 64 + t] = partial[t];
}

const LaunchingProgram program("barrier_in_the_if_alone",
                               {{shift, "grid=2 block=64 args=in:f32[64]:random,out:f32[128]:poison"}});

}  // namespace barrier_in_the_if_alone

// finding: barrier at 2nd `__syncthreads();`
// why: threads that have nothing left to add skip the barrier of each level, and meet no other
namespace barrier_in_the_if_of_a_tree {

__global__ void sum(const float* in, float* out) {
  __shared__ float partial[64];
  const unsigned t = threadIdx.x;
  partial[t] = in[t];
  __syncthreads();
  for (unsigned stride = 32; stride > 0; stride /= 2) {
    if (t < stride) {
      partial[t] += partial[t + stride];
      __syncthreads();
    }
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

const LaunchingProgram program("barrier_in_the_if_of_a_tree",
                               {{sum, "grid=2 block=64 args=in:f32[64]:random,out:f32[2]:poison"}});

}  // namespace barrier_in_the_if_of_a_tree
