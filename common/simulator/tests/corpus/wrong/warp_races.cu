/// \file Lanes are not in step: what one warp may not leave out.
#include "../launching_program.cuh"

// finding: race at `for (unsigned d = 32; d > 0; d /= 2) partial[lane] += partial[lane + d];`
// why: lanes of a warp are not in step: each addition needs its __syncwarp
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

const LaunchingProgram program("warp_tail_no_syncwarp",
                               {{warp_sum, "grid=1 block=32 args=in:f32[64]:random,out:f32[1]:poison"}});

}  // namespace warp_tail_no_syncwarp

// finding: race at `for (unsigned d = 32; d > 0; d /= 2) partial[lane] += partial[lane + d];`
// why: volatile keeps the stores but orders no lane behind another
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

const LaunchingProgram program("warp_tail_volatile",
                               {{warp_sum, "grid=1 block=32 args=in:f32[64]:random,out:f32[1]:poison"}});

}  // namespace warp_tail_volatile

// finding: race at `if (lane >= d) s[lane] += s[lane - d];`
// why: lane t - d adds to its slot while lane t reads it
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

const LaunchingProgram program("warp_scan_no_syncwarp",
                               {{scan_warp, "grid=1 block=32 args=in:u32[32]:random,out:u32[32]:poison"}});

}  // namespace warp_scan_no_syncwarp

// finding: race at `partial[lane] += partial[lane + 8];` or `partial[lane] += partial[lane + 16];`
// why: one __syncwarp serves two additions
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

const LaunchingProgram program("syncwarp_for_two_steps",
                               {{warp_sum, "grid=1 block=32 args=in:f32[64]:random,out:f32[1]:poison"}});

}  // namespace syncwarp_for_two_steps

// finding: race at `out[lane] = s[lane ^ 16];` or `s[lane] = in[lane];`
// also: uninitialised at `out[lane] = s[lane ^ 16];`
// why: lanes of different halves are not ordered by barriers of each half
namespace syncwarp_of_half_a_warp {

__global__ void swap_halves(const float* in, float* out) {
  __shared__ float s[32];
  const unsigned lane = threadIdx.x;
  s[lane] = in[lane];
  __syncwarp(lane < 16 ? 0x0000ffffu : 0xffff0000u);
  out[lane] = s[lane ^ 16];
}

const LaunchingProgram program("syncwarp_of_half_a_warp",
                               {{swap_halves, "grid=1 block=32 args=in:f32[32]:random,out:f32[32]:poison"}});

}  // namespace syncwarp_of_half_a_warp

// finding: race at `out[t] = s[63 - t];` or `s[t] = in[t];`
// also: uninitialised at `out[t] = s[63 - t];`
// why: __syncwarp orders the lanes of one warp, not two warps
namespace syncwarp_between_warps {

__global__ void reverse(const float* in, float* out) {
  __shared__ float s[64];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncwarp();
  out[t] = s[63 - t];
}

const LaunchingProgram program("syncwarp_between_warps",
                               {{reverse, "grid=1 block=64 args=in:f32[64]:random,out:f32[64]:poison"}});

}  // namespace syncwarp_between_warps

// finding: race at `out[lane] = sum + s[(lane + 1) % 32];` or `s[lane] = in[lane];`
// also: uninitialised at `out[lane] = sum + s[(lane + 1) % 32];`
// why: a shuffle exchanges registers; it does not order shared memory
namespace shuffle_instead_of_syncwarp {

__global__ void rotate(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[32];
  const unsigned lane = threadIdx.x;
  s[lane] = in[lane];
  const unsigned sum = __shfl_xor_sync(0xffffffffu, in[lane], 1);
  out[lane] = sum + s[(lane + 1) % 32];
}

const LaunchingProgram program("shuffle_instead_of_syncwarp",
                               {{rotate, "grid=1 block=32 args=in:u32[32]:random,out:u32[32]:poison"}});

}  // namespace shuffle_instead_of_syncwarp

// finding: race at `const unsigned mine = s[(lane + 5) % 32];`
// why: the lanes exchange what they read and write over it, but no __syncwarp is between the two
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

const LaunchingProgram program("read_shuffle_write",
                               {{rotate, "grid=1 block=32 args=in:u32[32]:random,out:u32[32]:poison"}});

}  // namespace read_shuffle_write

// finding: race at `out[lane] = partial[lane ^ 1] + all;`
// why: a vote collects predicates; it does not order shared memory
namespace vote_instead_of_syncwarp {

__global__ void swap(const unsigned* in, unsigned* out) {
  __shared__ unsigned partial[32];
  const unsigned lane = threadIdx.x;
  partial[lane] = in[lane];
  const unsigned all = __ballot_sync(0xffffffffu, in[lane] > 9);
  out[lane] = partial[lane ^ 1] + all;
}

const LaunchingProgram program("vote_instead_of_syncwarp",
                               {{swap, "grid=1 block=32 args=in:u32[32]:random,out:u32[32]:poison"}});

}  // namespace vote_instead_of_syncwarp

// finding: race at `partial[lane / 2] = in[lane];`
// why: two lanes store different values in one place by one instruction
namespace two_lanes_one_place {

__global__ void halve(const float* in, float* out) {
  __shared__ float partial[32];
  const unsigned lane = threadIdx.x;
  partial[lane / 2] = in[lane];
  __syncthreads();
  if (lane == 0) out[0] = partial[0];
}

const LaunchingProgram program("two_lanes_one_place",
                               {{halve, "grid=1 block=32 args=in:f32[32]:random,out:f32[1]:poison"}});

}  // namespace two_lanes_one_place
