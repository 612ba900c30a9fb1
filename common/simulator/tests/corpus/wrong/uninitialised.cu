/// \file Memory that is read before anybody has written it.
#include "../launching_program.cuh"

// finding: uninitialised at `out[t] = s[255 - t];`
// why: half the threads fill the array that all of them read
namespace shared_half_written {

__global__ void reverse(const float* in, float* out) {
  __shared__ float s[256];
  const unsigned t = threadIdx.x;
  if (t < 128) s[t] = in[t];
  __syncthreads();
  out[t] = s[255 - t];
}

const LaunchingProgram program("shared_half_written",
                               {{reverse, "grid=1 block=256 args=in:f32[256]:random,out:f32[256]:poison"}});

}  // namespace shared_half_written

// finding: uninitialised at `if (t < stride) partial[t] += partial[t + stride];`
// why: threads past n leave their slot unwritten and the tree adds it
namespace tail_left_unwritten {

__global__ void sum(const float* in, float* out, unsigned n) {
  __shared__ float partial[256];
  const unsigned t = threadIdx.x;
  if (t < n) partial[t] = in[t];
  __syncthreads();
  for (unsigned stride = 128; stride > 0; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0) out[0] = partial[0];
}

const LaunchingProgram program("tail_left_unwritten",
                               {{sum,
                                 "grid=1 block=256 args=in:f32[200]:random,out:f32[1]:poison,n:u32:200"}});

}  // namespace tail_left_unwritten

// finding: uninitialised at `value += s[slot - d];`
// why: the padded scan adds what lies in front of the warp's data
namespace padding_not_zeroed {

__global__ void scan_warp(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[2 * 49];
  const unsigned t = threadIdx.x, slot = 49 * (t / 32) + 16 + t % 32;
  unsigned value = in[t];
  for (unsigned d = 1; d < 32; d *= 2) {
    s[slot] = value;
    __syncwarp();
    value += s[slot - d];
    __syncwarp();
  }
  out[t] = value;
}

const LaunchingProgram program("padding_not_zeroed",
                               {{scan_warp, "grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison"}});

}  // namespace padding_not_zeroed

// finding: uninitialised at `value = sums[t];`
// why: 32 lanes read the sums of 8 warps
namespace warp_sums_beyond_the_warps {

__global__ void sum(const float* in, float* out) {
  __shared__ float sums[32];
  const unsigned t = threadIdx.x;
  float value = in[blockIdx.x * blockDim.x + t];
  for (unsigned d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
  if (t % 32 == 0) sums[t / 32] = value;
  __syncthreads();
  if (t < 32) {
    value = sums[t];
    for (unsigned d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
    if (t == 0) out[blockIdx.x] = value;
  }
}

const LaunchingProgram program("warp_sums_beyond_the_warps",
                               {{sum, "grid=2 block=256 args=in:f32[512]:random,out:f32[2]:poison"}});

}  // namespace warp_sums_beyond_the_warps

// finding: uninitialised at `out[i] = in[i] + scratch[i];`
// why: the scratch buffer comes fresh from cudaMalloc
namespace scratch_never_written {

__global__ void add_scratch(const float* in, const float* scratch, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + scratch[i];
}

const LaunchingProgram program(
    "scratch_never_written",
    {{add_scratch, "grid=2 block=64 args=in:f32[128]:random,scratch:f32[128]:poison,out:f32[128]:poison"}});

}  // namespace scratch_never_written

// finding: uninitialised at `atomicAdd(out, in[i]);`
// why: the total is added to but never set to zero
namespace atomic_on_an_uncleared_total {

__global__ void sum(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(out, in[i]);
}

const LaunchingProgram program("atomic_on_an_uncleared_total",
                               {{sum, "grid=2 block=64 args=in:u32[128]:random,out:u32[1]:poison"}});

}  // namespace atomic_on_an_uncleared_total

// finding: uninitialised at `for (unsigned i = 0; i < 8; ++i) total += table[(i + in[0]) % 8];`
// why: only n of the eight slots are filled, all are summed
namespace local_array_half_written {

__global__ void sum(const unsigned* in, unsigned* out, unsigned n) {
  unsigned table[8];
  for (unsigned i = 0; i < n; ++i) table[i] = in[i] * threadIdx.x;
  unsigned total = 0;
#pragma unroll 1
  for (unsigned i = 0; i < 8; ++i) total += table[(i + in[0]) % 8];
  out[threadIdx.x] = total;
}

const LaunchingProgram program("local_array_half_written",
                               {{sum, "grid=1 block=32 args=in:u32[32]:iota,out:u32[32]:poison,n:u32:5"}});

}  // namespace local_array_half_written
