/// \file Barriers that only some threads reach, or that others never will.
#include "../program.cuh"

// finding: barrier at 1st `__syncthreads();` or 2nd `__syncthreads();`
// also: race at `out[t] = s[255 - t];`
// why: some threads wait at one barrier and the rest at another
// launch: kernel=reverse grid=1 block=256 args=in:f32[256]:random,out:f32[256]:poison
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

const Program program("barrier_in_divergent_branch", [] {
  const Buffer<float> in(256, Fill::random);
  const Buffer<float> out(256, Fill::poison);
  reverse<<<1, 256>>>(in.data(), out.data());
  return out.show();
});

}  // namespace barrier_in_divergent_branch

// finding: barrier at 2nd `__syncthreads();` or 3rd `__syncthreads();`
// also: race at `partial[t] += partial[t + stride];`
// also: race at `if (t == blockDim.x - 1) out[0] = partial[0];`
// why: idle threads skip the barrier of each level
// launch: kernel=sum grid=1 block=128 args=in:f32[128]:random,out:f32[1]:poison
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

const Program program("barrier_inside_the_if", [] {
  const Buffer<float> in(128, Fill::random);
  const Buffer<float> out(1, Fill::poison);
  sum<<<1, 128>>>(in.data(), out.data());
  return out.show();
});

}  // namespace barrier_inside_the_if

// finding: barrier at 1st `__syncthreads();` or 2nd `__syncthreads();`
// also: race at `s[t] += 1;`
// also: race at `out[t] = s[63 - t];`
// why: threads run through the barrier a different number of times
// launch: kernel=walk grid=1 block=64 args=in:f32[64]:random,out:f32[64]:poison
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

const Program program("barrier_in_a_loop_of_own_length", [] {
  const Buffer<float> in(64, Fill::random);
  const Buffer<float> out(64, Fill::poison);
  walk<<<1, 64>>>(in.data(), out.data());
  return out.show();
});

}  // namespace barrier_in_a_loop_of_own_length

// finding: barrier at 1st `__syncthreads();` or 2nd `__syncthreads();`
// also: race at `out[t] = s[127 - t] + 1;`
// also: race at `out[t] = s[127 - t] * 3;`
// why: two halves of the block each wait at a barrier of their own
// launch: kernel=halves grid=1 block=128 args=in:f32[128]:random,out:f32[128]:poison
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

const Program program("barriers_at_different_places", [] {
  const Buffer<float> in(128, Fill::random);
  const Buffer<float> out(128, Fill::poison);
  halves<<<1, 128>>>(in.data(), out.data());
  return out.show();
});

}  // namespace barriers_at_different_places

// finding: barrier|deadlock at `asm volatile("bar.sync %0, 64;" ::"r"(1 + warp) : "memory");` or `asm volatile("bar.sync %0, 64;" ::"r"(2 - warp) : "memory");`
// why: two warps wait at two named barriers, each at the other's second
// launch: kernel=cross grid=1 block=64 args=out:u32[64]:poison
namespace barriers_in_opposite_order {

__global__ void cross(unsigned* out) {
  const unsigned warp = threadIdx.x / 32;
  asm volatile("bar.sync %0, 64;" ::"r"(1 + warp) : "memory");
  asm volatile("bar.sync %0, 64;" ::"r"(2 - warp) : "memory");
  out[threadIdx.x] = warp;
}

const Program program("barriers_in_opposite_order", [] {
  const Buffer<unsigned> out(64, Fill::poison);
  cross<<<1, 64>>>(out.data());
  return out.show();
});

}  // namespace barriers_in_opposite_order

// finding: barrier|deadlock at `asm volatile("bar.sync 1, 256;" ::: "memory");`
// why: a barrier with a thread count waits for threads that have left
// launch: kernel=copy grid=1 block=256 args=in:f32[200]:random,out:f32[200]:poison,n:u32:200
namespace counted_barrier_after_early_return {

__global__ void copy(const float* in, float* out, unsigned n) {
  __shared__ float s[256];
  const unsigned t = threadIdx.x;
  if (t >= n) return;
  s[t] = in[t];
  asm volatile("bar.sync 1, 256;" ::: "memory");
  out[t] = s[n - 1 - t];
}

const Program program("counted_barrier_after_early_return", [] {
  const Buffer<float> in(200, Fill::random);
  const Buffer<float> out(200, Fill::poison);
  copy<<<1, 256>>>(in.data(), out.data(), unsigned(200));
  return out.show();
});

}  // namespace counted_barrier_after_early_return

// finding: barrier|deadlock at `if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;" ::: "memory");` or `__syncthreads();`
// why: 32 threads wait at a barrier that asks for 64
// launch: kernel=wait_for grid=1 block=64 args=out:u32[64]:poison
namespace named_barrier_too_few {

__global__ void wait_for(unsigned* out) {
  if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;" ::: "memory");
  __syncthreads();
  out[threadIdx.x] = threadIdx.x;
}

const Program program("named_barrier_too_few", [] {
  const Buffer<unsigned> out(64, Fill::poison);
  wait_for<<<1, 64>>>(out.data());
  return out.show();
});

}  // namespace named_barrier_too_few

// finding: unsupported at `asm volatile("bar.sync %0, 32;" ::"r"(warp) : "memory");`
// why: a named barrier for each warp of a block of 32 warps: there are 16 barriers
// launch: kernel=by_warp grid=1 block=1024 args=out:u32[1024]:poison
namespace barrier_beyond_the_sixteenth {

__global__ void by_warp(unsigned* out) {
  const unsigned warp = threadIdx.x / 32;
  asm volatile("bar.sync %0, 32;" ::"r"(warp) : "memory");
  out[threadIdx.x] = warp;
}

const Program program("barrier_beyond_the_sixteenth", [] {
  const Buffer<unsigned> out(1024, Fill::poison);
  by_warp<<<1, 1024>>>(out.data());
  return out.show();
});

}  // namespace barrier_beyond_the_sixteenth

// finding: sync|barrier|deadlock at `__syncwarp();` or 1st `__syncthreads();`
// also: sync|barrier|deadlock at `__syncwarp();` or 1st `__syncthreads();` or 2nd `__syncthreads();`
// why: half a warp waits for the warp, the other half for the block
// launch: kernel=cross grid=1 block=64 args=out:u32[64]:poison
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

const Program program("syncwarp_against_syncthreads", [] {
  const Buffer<unsigned> out(64, Fill::poison);
  cross<<<1, 64>>>(out.data());
  return out.show();
});

}  // namespace syncwarp_against_syncthreads
