/// \file Copies in the background, read before they have arrived.
// arch: compute_80
#include "../launching_program.cuh"  // first: it has host code, so that NVRTC ends there

#include <cuda_pipeline.h>

// finding: race at `out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];`
// why: the block's barrier does not wait for what cp.async copies in the background
namespace async_copy_not_waited_for {

__global__ void reverse(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[blockIdx.x * 64 + threadIdx.x], 4);
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}

const LaunchingProgram program("async_copy_not_waited_for",
                               {{reverse, "grid=2 block=64 args=in:u32[128]:random,out:u32[128]:poison"}});

}  // namespace async_copy_not_waited_for

// finding: race at `out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];`
// why: a thread that has waited for its own copies knows nothing of the others'
namespace async_copy_without_barrier {

__global__ void reverse(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[blockIdx.x * 64 + threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}

const LaunchingProgram program("async_copy_without_barrier",
                               {{reverse, "grid=2 block=64 args=in:u32[128]:random,out:u32[128]:poison"}});

}  // namespace async_copy_without_barrier

// finding: race at `sum += stage[i % 2][threadIdx.x ^ 1];`
// also: race at `if (i < 3) __pipeline_memcpy_async(&stage[(i + 1) % 2][threadIdx.x], &in[(i + 1) * 32 + threadIdx.x], 4);`
// why: of two stages under way, the one that is needed now has not been waited for
namespace async_copy_one_stage_early {

__global__ void sums(const unsigned* in, unsigned* out) {
  __shared__ unsigned stage[2][32];
  unsigned sum = 0;
  __pipeline_memcpy_async(&stage[0][threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  for (int i = 0; i < 4; ++i) {
    if (i < 3) __pipeline_memcpy_async(&stage[(i + 1) % 2][threadIdx.x], &in[(i + 1) * 32 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(2);
    __syncwarp();
    sum += stage[i % 2][threadIdx.x ^ 1];
    __syncwarp();
  }
  out[threadIdx.x] = sum;
}

const LaunchingProgram program("async_copy_one_stage_early",
                               {{sums, "grid=1 block=32 args=in:u32[128]:random,out:u32[32]:poison"}});

}  // namespace async_copy_one_stage_early

// finding: race at `__pipeline_memcpy_async(stage[t], in_out + 4 * t, 16, 6);` or `in_out[4 * t + 2] = t;`
// why: ten bytes are copied, the last two of them from a word that another block writes
namespace async_copy_that_ends_early {

__global__ void copy(unsigned* in_out, unsigned* out) {
  __shared__ __align__(16) unsigned stage[32][4];
  const unsigned t = threadIdx.x;
  if (blockIdx.x == 1) {
    in_out[4 * t + 2] = t;
    return;
  }
  __pipeline_memcpy_async(stage[t], in_out + 4 * t, 16, 6);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = stage[t][0] + stage[t][2];
}

const LaunchingProgram program("async_copy_that_ends_early",
                               {{copy, "grid=2 block=32 args=in_out:u32[128]:random,out:u32[32]:poison"}});

}  // namespace async_copy_that_ends_early
