/// \file Lanes are not in step: what one warp may not leave out.
#include "../program.cuh"

// finding: race at `for (unsigned d = 32; d > 0; d /= 2) partial[lane] += partial[lane + d];`
// why: lanes of a warp are not in step: each addition needs its __syncwarp
// launch: kernel=warp_sum grid=1 block=32 args=in:f32[64]:random,out:f32[1]:poison
namespace warp_tail_no_syncwarp {

__global__ void warp_sum(const float* in, float* out) {
  __shared__ float partial[64];
  const unsigned lane = threadIdx.x;
  partial[lane] = in[lane];
  partial[lane + 32] = in[lane + 32];
  __syncthreads();
  for (unsigned d = 32; d > 0; d /= 2) partial[lane] += partial[lane + d];
  if (lane == 0) out[0] = partial[0];
}

const Program program("warp_tail_no_syncwarp", [] {
  const Buffer<float> in(64, Fill::random);
  const Buffer<float> out(1, Fill::poison);
  warp_sum<<<1, 32>>>(in.data(), out.data());
  return out.show();
});

}  // namespace warp_tail_no_syncwarp

// finding: race at `for (unsigned d = 32; d > 0; d /= 2) partial[lane] += partial[lane + d];`
// why: volatile keeps the stores but orders no lane behind another
// launch: kernel=warp_sum grid=1 block=32 args=in:f32[64]:random,out:f32[1]:poison
namespace warp_tail_volatile {

__global__ void warp_sum(const float* in, float* out) {
  __shared__ volatile float partial[64];
  const unsigned lane = threadIdx.x;
  partial[lane] = in[lane];
  partial[lane + 32] = in[lane + 32];
  __syncthreads();
  for (unsigned d = 32; d > 0; d /= 2) partial[lane] += partial[lane + d];
  if (lane == 0) out[0] = partial[0];
}

const Program program("warp_tail_volatile", [] {
  const Buffer<float> in(64, Fill::random);
  const Buffer<float> out(1, Fill::poison);
  warp_sum<<<1, 32>>>(in.data(), out.data());
  return out.show();
});

}  // namespace warp_tail_volatile

// finding: race at `if (lane >= d) s[lane] += s[lane - d];`
// why: lane t - d adds to its slot while lane t reads it
// launch: kernel=scan_warp grid=1 block=32 args=in:u32[32]:random,out:u32[32]:poison
namespace warp_scan_no_syncwarp {

__global__ void scan_warp(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[32];
  const unsigned lane = threadIdx.x;
  s[lane] = in[lane];
  __syncwarp();
  for (unsigned d = 1; d < 32; d *= 2) {
    if (lane >= d) s[lane] += s[lane - d];
    __syncwarp();
  }
  out[lane] = s[lane];
}

const Program program("warp_scan_no_syncwarp", [] {
  const Buffer<unsigned> in(32, Fill::random);
  const Buffer<unsigned> out(32, Fill::poison);
  scan_warp<<<1, 32>>>(in.data(), out.data());
  return out.show();
});

}  // namespace warp_scan_no_syncwarp

// finding: race at `partial[lane] += partial[lane + 8];` or `partial[lane] += partial[lane + 16];`
// why: one __syncwarp serves two additions
// launch: kernel=warp_sum grid=1 block=32 args=in:f32[64]:random,out:f32[1]:poison
namespace syncwarp_for_two_steps {

__global__ void warp_sum(const float* in, float* out) {
  __shared__ float partial[64];
  const unsigned lane = threadIdx.x;
  partial[lane] = in[lane];
  partial[lane + 32] = in[lane + 32];
  __syncwarp();
  if (lane < 16) {
    partial[lane] += partial[lane + 16];
    partial[lane] += partial[lane + 8];
  }
  __syncwarp();
  if (lane == 0) out[0] = partial[0] + partial[1];
}

const Program program("syncwarp_for_two_steps", [] {
  const Buffer<float> in(64, Fill::random);
  const Buffer<float> out(1, Fill::poison);
  warp_sum<<<1, 32>>>(in.data(), out.data());
  return out.show();
});

}  // namespace syncwarp_for_two_steps

// finding: race at `out[lane] = s[lane ^ 16];` or `s[lane] = in[lane];`
// also: uninitialised at `out[lane] = s[lane ^ 16];`
// why: lanes of different halves are not ordered by barriers of each half
// launch: kernel=swap_halves grid=1 block=32 args=in:f32[32]:random,out:f32[32]:poison
namespace syncwarp_of_half_a_warp {

__global__ void swap_halves(const float* in, float* out) {
  __shared__ float s[32];
  const unsigned lane = threadIdx.x;
  s[lane] = in[lane];
  __syncwarp(lane < 16 ? 0x0000ffffu : 0xffff0000u);
  out[lane] = s[lane ^ 16];
}

const Program program("syncwarp_of_half_a_warp", [] {
  const Buffer<float> in(32, Fill::random);
  const Buffer<float> out(32, Fill::poison);
  swap_halves<<<1, 32>>>(in.data(), out.data());
  return out.show();
});

}  // namespace syncwarp_of_half_a_warp

// finding: race at `out[t] = s[63 - t];` or `s[t] = in[t];`
// also: uninitialised at `out[t] = s[63 - t];`
// why: __syncwarp orders the lanes of one warp, not two warps
// launch: kernel=reverse grid=1 block=64 args=in:f32[64]:random,out:f32[64]:poison
namespace syncwarp_between_warps {

__global__ void reverse(const float* in, float* out) {
  __shared__ float s[64];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncwarp();
  out[t] = s[63 - t];
}

const Program program("syncwarp_between_warps", [] {
  const Buffer<float> in(64, Fill::random);
  const Buffer<float> out(64, Fill::poison);
  reverse<<<1, 64>>>(in.data(), out.data());
  return out.show();
});

}  // namespace syncwarp_between_warps

// finding: race at `out[lane] = sum + s[(lane + 1) % 32];` or `s[lane] = in[lane];`
// also: uninitialised at `out[lane] = sum + s[(lane + 1) % 32];`
// why: a shuffle exchanges registers; it does not order shared memory
// launch: kernel=rotate grid=1 block=32 args=in:u32[32]:random,out:u32[32]:poison
namespace shuffle_instead_of_syncwarp {

__global__ void rotate(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[32];
  const unsigned lane = threadIdx.x;
  s[lane] = in[lane];
  const unsigned sum = __shfl_xor_sync(0xffffffffu, in[lane], 1);
  out[lane] = sum + s[(lane + 1) % 32];
}

const Program program("shuffle_instead_of_syncwarp", [] {
  const Buffer<unsigned> in(32, Fill::random);
  const Buffer<unsigned> out(32, Fill::poison);
  rotate<<<1, 32>>>(in.data(), out.data());
  return out.show();
});

}  // namespace shuffle_instead_of_syncwarp

// finding: race at `const unsigned mine = s[(lane + 5) % 32];`
// why: the lanes exchange what they read and write over it, but no __syncwarp is between the two
// launch: kernel=rotate grid=1 block=32 args=in:u32[32]:random,out:u32[32]:poison
namespace read_shuffle_write {

__global__ void rotate(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[32];
  const unsigned lane = threadIdx.x;
  s[lane] = in[lane];
  __syncwarp();
  const unsigned mine = s[(lane + 5) % 32];
  const unsigned next = __shfl_sync(0xffffffffu, mine, lane + 1);
  s[lane] = mine + next;
  __syncwarp();
  out[lane] = s[31 - lane];
}

const Program program("read_shuffle_write", [] {
  const Buffer<unsigned> in(32, Fill::random);
  const Buffer<unsigned> out(32, Fill::poison);
  rotate<<<1, 32>>>(in.data(), out.data());
  return out.show();
});

}  // namespace read_shuffle_write
