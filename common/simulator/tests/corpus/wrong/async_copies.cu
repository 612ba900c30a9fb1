/// \file Copies in the background, read before they have arrived.
// arch: compute_80
#include <cuda_pipeline.h>

#include "../program.cuh"

// finding: race at `out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];`
// why: the block's barrier does not wait for what cp.async copies in the background
// launch: kernel=reverse grid=2 block=64 args=in:u32[128]:random,out:u32[128]:poison
namespace async_copy_not_waited_for {

__global__ void reverse(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[blockIdx.x * 64 + threadIdx.x], 4);
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}

const Program program("async_copy_not_waited_for", [] {
  const Buffer<unsigned> in(128, Fill::random);
  const Buffer<unsigned> out(128, Fill::poison);
  reverse<<<2, 64>>>(in.data(), out.data());
  return out.show();
});

}  // namespace async_copy_not_waited_for

// finding: race at `out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];`
// why: a thread that has waited for its own copies knows nothing of the others'
// launch: kernel=reverse grid=2 block=64 args=in:u32[128]:random,out:u32[128]:poison
namespace async_copy_without_barrier {

__global__ void reverse(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[blockIdx.x * 64 + threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}

const Program program("async_copy_without_barrier", [] {
  const Buffer<unsigned> in(128, Fill::random);
  const Buffer<unsigned> out(128, Fill::poison);
  reverse<<<2, 64>>>(in.data(), out.data());
  return out.show();
});

}  // namespace async_copy_without_barrier

// finding: race at `sum += stage[i % 2][threadIdx.x ^ 1];`
// also: race at `if (i < 3) __pipeline_memcpy_async(&stage[(i + 1) % 2][threadIdx.x], &in[(i + 1) * 32 + threadIdx.x], 4);`
// why: of two stages under way, the one that is needed now has not been waited for
// launch: kernel=sums grid=1 block=32 args=in:u32[128]:random,out:u32[32]:poison
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

const Program program("async_copy_one_stage_early", [] {
  const Buffer<unsigned> in(128, Fill::random);
  const Buffer<unsigned> out(32, Fill::poison);
  sums<<<1, 32>>>(in.data(), out.data());
  return out.show();
});

}  // namespace async_copy_one_stage_early
