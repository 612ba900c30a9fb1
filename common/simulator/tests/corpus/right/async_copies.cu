/// \file Copies in the background that are waited for.
// arch: compute_80
#include "../launching_program.cuh"  // first: it has host code, so that NVRTC ends there

#include <cuda_pipeline.h>

// finding: none
// why: the copies of the next stage are under way while this one is read
namespace async_copies_in_two_stages {

__global__ void sums(const unsigned* in, unsigned* out) {
  __shared__ unsigned stage[2][32];
  unsigned sum = 0;
  __pipeline_memcpy_async(&stage[0][threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  for (int i = 0; i < 4; ++i) {
    if (i < 3) __pipeline_memcpy_async(&stage[(i + 1) % 2][threadIdx.x], &in[(i + 1) * 32 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncwarp();
    sum += stage[i % 2][threadIdx.x ^ 1];
    __syncwarp();
  }
  out[threadIdx.x] = sum;
}

const LaunchingProgram program("async_copies_in_two_stages",
                               {{sums, "grid=1 block=32 args=in:u32[128]:random,out:u32[32]:poison"}});

}  // namespace async_copies_in_two_stages
