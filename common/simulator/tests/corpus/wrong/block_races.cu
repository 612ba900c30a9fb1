/// \file Threads of one block that meet in shared memory with no barrier between them.
#include "../launching_program.cuh"

// finding: race at `out[t] = in[t] - first;` or `if (t == 0) first = in[0];`
// also: uninitialised at `out[t] = in[t] - first;`
// why: the other threads read the shared value before it is written
namespace broadcast_without_barrier {

__global__ void subtract_first(const float* in, float* out) {
  __shared__ float first;
  const unsigned t = threadIdx.x;
  if (t == 0) first = in[0];
  out[t] = in[t] - first;
}

const LaunchingProgram program("broadcast_without_barrier",
                               {{subtract_first,
                                 "grid=1 block=96 args=in:f32[96]:random,out:f32[96]:poison"}});

}  // namespace broadcast_without_barrier

// finding: race at `if (t % (2 * stride) == 0) partial[t] += partial[t + stride];` or `partial[t] = in[blockIdx.x * blockDim.x + t];`
// also: uninitialised at `if (t % (2 * stride) == 0) partial[t] += partial[t + stride];`
// why: the tree starts while other threads are still loading
namespace no_barrier_after_load {

__global__ void sum(const float* in, float* out) {
  extern __shared__ float partial[];
  const unsigned t = threadIdx.x;
  partial[t] = in[blockIdx.x * blockDim.x + t];
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (t % (2 * stride) == 0) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

const LaunchingProgram program("no_barrier_after_load",
                               {{sum,
                                 "grid=2 block=256 shared=1024 args=in:f32[512]:random,out:f32[2]:poison"}});

}  // namespace no_barrier_after_load

// finding: race at `tile[t] = in[i * blockDim.x + t];` or `sum += tile[blockDim.x - 1 - t];`
// why: the next tile overwrites what a slower thread still reads
namespace no_barrier_before_reuse {

__global__ void sum_of_tiles(const float* in, float* out, unsigned tiles) {
  extern __shared__ float tile[];
  const unsigned t = threadIdx.x;
  float sum = 0;
  for (unsigned i = 0; i < tiles; ++i) {
    tile[t] = in[i * blockDim.x + t];
    __syncthreads();
    sum += tile[blockDim.x - 1 - t];
  }
  out[t] = sum;
}

const LaunchingProgram program(
    "no_barrier_before_reuse",
    {{sum_of_tiles, "grid=1 block=128 shared=512 args=in:f32[512]:random,out:f32[128]:poison,tiles:u32:4"}});

}  // namespace no_barrier_before_reuse

// finding: race at `if (t % (2 * stride) == 0) partial[t] += partial[t + stride];`
// why: nothing separates one level of the tree from the next
namespace no_barrier_in_loop {

__global__ void sum(const float* in, float* out) {
  extern __shared__ float partial[];
  const unsigned t = threadIdx.x;
  partial[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (t % (2 * stride) == 0) partial[t] += partial[t + stride];
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

const LaunchingProgram program("no_barrier_in_loop",
                               {{sum,
                                 "grid=2 block=256 shared=1024 args=in:f32[512]:random,out:f32[2]:poison"}});

}  // namespace no_barrier_in_loop

// finding: race at `out[16 * y + x] = tile[x][y];` or `tile[y][x] = in[16 * y + x];`
// also: uninitialised at `out[16 * y + x] = tile[x][y];`
// why: the tile is read by column before all of its rows are there
namespace transpose_no_barrier {

__global__ void transpose(const float* in, float* out) {
  __shared__ float tile[16][17];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[16 * y + x];
  out[16 * y + x] = tile[x][y];
}

const LaunchingProgram program("transpose_no_barrier",
                               {{transpose,
                                 "grid=1 block=16x16 args=in:f32[256]:random,out:f32[256]:poison"}});

}  // namespace transpose_no_barrier

// finding: race at `s[1 - from][t] = s[from][t] + (t >= d ? s[from][t - d] : 0);` or `s[0][t] = in[t];`
// also: uninitialised at `s[1 - from][t] = s[from][t] + (t >= d ? s[from][t - d] : 0);`
// why: two buffers save one barrier a step, not both
namespace double_buffer_without_barrier {

__global__ void scan(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[2][128];
  const unsigned t = threadIdx.x;
  unsigned from = 0;
  s[0][t] = in[t];
  __syncthreads();
  for (unsigned d = 1; d < 128; d *= 2) {
    s[1 - from][t] = s[from][t] + (t >= d ? s[from][t - d] : 0);
    from = 1 - from;
  }
  out[t] = s[from][t];
}

const LaunchingProgram program("double_buffer_without_barrier",
                               {{scan, "grid=1 block=128 args=in:u32[128]:random,out:u32[128]:poison"}});

}  // namespace double_buffer_without_barrier

// finding: race at `out[t] = value + (warp > 0 ? totals[warp - 1] : 0);` or `if (lane < 8) totals[lane] = scanned;`
// why: warps read the scanned totals before the first warp has written them
namespace block_scan_no_second_barrier {

__device__ unsigned scan_warp(unsigned value) {
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned other = __shfl_up_sync(0xffffffffu, value, d);
    if (threadIdx.x % 32 >= d) value += other;
  }
  return value;
}
__global__ void scan_block(const unsigned* in, unsigned* out) {
  __shared__ unsigned totals[8];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  const unsigned value = scan_warp(in[t]);
  if (lane == 31) totals[warp] = value;
  __syncthreads();
  if (warp == 0) {
    const unsigned scanned = scan_warp(lane < 8 ? totals[lane] : 0);
    if (lane < 8) totals[lane] = scanned;
  }
  out[t] = value + (warp > 0 ? totals[warp - 1] : 0);
}

const LaunchingProgram program("block_scan_no_second_barrier",
                               {{scan_block,
                                 "grid=1 block=256 args=in:u32[256]:random,out:u32[256]:poison"}});

}  // namespace block_scan_no_second_barrier

// finding: race at `atomicAdd(&bins[in[t] % 64], 1u);` or `if (t < 64) bins[t] = 0;`
// also: uninitialised at `atomicAdd(&bins[in[t] % 64], 1u);`
// why: no barrier between clearing the bins and counting
namespace histogram_cleared_too_late {

__global__ void histogram(const unsigned* in, unsigned* out) {
  __shared__ unsigned bins[64];
  const unsigned t = threadIdx.x;
  if (t < 64) bins[t] = 0;
  atomicAdd(&bins[in[t] % 64], 1u);
  __syncthreads();
  if (t < 64) out[t] = bins[t];
}

const LaunchingProgram program("histogram_cleared_too_late",
                               {{histogram, "grid=1 block=128 args=in:u32[128]:random,out:u32[64]:poison"}});

}  // namespace histogram_cleared_too_late

// finding: race at `bins[in[t] % 16] += 1;`
// why: two threads increase the same bin at once
namespace histogram_without_atomics {

__global__ void histogram(const unsigned* in, unsigned* out) {
  __shared__ unsigned bins[16];
  const unsigned t = threadIdx.x;
  if (t < 16) bins[t] = 0;
  __syncthreads();
  bins[in[t] % 16] += 1;
  __syncthreads();
  if (t < 16) out[t] = bins[t];
}

const LaunchingProgram program("histogram_without_atomics",
                               {{histogram, "grid=1 block=128 args=in:u32[128]:random,out:u32[16]:poison"}});

}  // namespace histogram_without_atomics

// finding: race at `reinterpret_cast<unsigned char*>(words)[4 * (t - 32) + 1] = 7;` or `words[t] = t;`
// why: one thread writes a byte of the word that another writes whole
namespace byte_inside_a_word {

__global__ void mix(unsigned* out) {
  __shared__ unsigned words[32];
  const unsigned t = threadIdx.x;
  if (t < 32)
    words[t] = t;
  else
    reinterpret_cast<unsigned char*>(words)[4 * (t - 32) + 1] = 7;
  __syncthreads();
  if (t < 32) out[t] = words[t];
}

const LaunchingProgram program("byte_inside_a_word", {{mix, "grid=1 block=64 args=out:u32[32]:poison"}});

}  // namespace byte_inside_a_word

// finding: race at `out[t] = s[63 - t];` or `s[t] = in[t];`
// also: uninitialised at `out[t] = s[63 - t];`
// why: a fence orders one thread's own writes; it waits for nobody
namespace fence_instead_of_barrier {

__global__ void reverse(const float* in, float* out) {
  __shared__ float s[64];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __threadfence_block();
  out[t] = s[63 - t];
}

const LaunchingProgram program("fence_instead_of_barrier",
                               {{reverse, "grid=1 block=64 args=in:f32[64]:random,out:f32[64]:poison"}});

}  // namespace fence_instead_of_barrier

// finding: race at `out[0] = value;` or `value = in[0] + 42;`
// why: nothing orders the value before the flag that announces it
namespace flag_between_warps_without_fence {

__global__ void hand_over(const unsigned* in, unsigned* out) {
  __shared__ unsigned value;
  __shared__ volatile unsigned ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = in[0] + 42;
    ready = 1;
  }
  if (threadIdx.x == 32) {
    while (ready == 0) {
    }
    out[0] = value;
  }
}

const LaunchingProgram program("flag_between_warps_without_fence",
                               {{hand_over, "grid=1 block=64 args=in:u32[1]:iota,out:u32[1]:poison"}});

}  // namespace flag_between_warps_without_fence

// finding: race at `if (warp >= 2) out[t - 64] = s[(t - 64) ^ 32];` or `if (warp < 2) s[t] = in[t];`
// why: the consumer waits at a barrier that its producer has nothing to do with
namespace named_barrier_of_another_pair {

__global__ void pairs(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[64];
  const unsigned t = threadIdx.x, warp = t / 32;
  if (warp < 2) s[t] = in[t];
  // Warps 0 and 2 meet at one barrier, warps 1 and 3 at another; but warp 2 reads what warp 1 wrote.
  asm volatile("bar.sync %0, 64;" ::"r"(1 + warp % 2) : "memory");
  if (warp >= 2) out[t - 64] = s[(t - 64) ^ 32];
}

const LaunchingProgram program("named_barrier_of_another_pair",
                               {{pairs, "grid=1 block=128 args=in:u32[64]:random,out:u32[64]:poison"}});

}  // namespace named_barrier_of_another_pair

// finding: race at `out[32 * step + lane] = buffer[step % 2][lane];` or `buffer[step % 2][lane] = 2 * in[32 * step + lane];`
// why: volatile counts say that the buffer is full, but nothing says that what is in it has arrived
namespace two_buffers_without_fences {

__global__ void pipeline(const unsigned* in, unsigned* out) {
  __shared__ unsigned buffer[2][32];
  __shared__ volatile unsigned filled;
  const unsigned lane = threadIdx.x % 32;
  if (threadIdx.x == 0) filled = 0;
  __syncthreads();
  for (unsigned step = 0; step < 8; ++step) {
    if (threadIdx.x < 32) {
      buffer[step % 2][lane] = 2 * in[32 * step + lane];
      __syncwarp();
      if (lane == 0) filled = step + 1;
    } else {
      while (filled <= step) {
      }
      out[32 * step + lane] = buffer[step % 2][lane];
    }
  }
}

const LaunchingProgram program("two_buffers_without_fences",
                               {{pipeline, "grid=1 block=64 args=in:u32[256]:random,out:u32[256]:poison"}});

}  // namespace two_buffers_without_fences

// finding: race at `out[t] = s[t];` or `s[t + 1] = t;`
// why: the barrier is behind the first store alone; the others go to neighbours that read them
namespace shifted_behind_a_barrier {

__global__ void shift(unsigned* out) {
  __shared__ unsigned s[33];
  const unsigned t = threadIdx.x;
  if (t == 31) s[0] = 1;
  __syncthreads();
  s[t + 1] = t;
  out[t] = s[t];
}

const LaunchingProgram program("shifted_behind_a_barrier",
                               {{shift, "grid=1 block=32 args=out:u32[32]:poison"}});

}  // namespace shifted_behind_a_barrier

// finding: race at `out[blockIdx.x * 64 + t] = keys[t ^ 32];`
// why: one warp reads the bytes that another writes
namespace bytes_without_barrier {

__global__ void exchange(unsigned* out) {
  __shared__ unsigned char keys[64];
  const unsigned t = threadIdx.x;
  keys[t] = static_cast<unsigned char>(t);
  out[blockIdx.x * 64 + t] = keys[t ^ 32];
}

const LaunchingProgram program("bytes_without_barrier",
                               {{exchange, "grid=2 block=64 args=out:u32[128]:poison"}});

}  // namespace bytes_without_barrier

// finding: race at `if (t % stride == 0) data[2 * t] += data[2 * t + stride];`
// why: a tree of pairs in global memory, and nothing separates its levels
namespace global_neighbours_without_barrier {

__global__ void sum(float* data) {
  const unsigned t = threadIdx.x;
  for (unsigned stride = 1; stride < 64; stride *= 2) {
    if (t % stride == 0) data[2 * t] += data[2 * t + stride];
  }
}

const LaunchingProgram program("global_neighbours_without_barrier",
                               {{sum, "grid=1 block=64 args=data:f32[256]:random"}});

}  // namespace global_neighbours_without_barrier
