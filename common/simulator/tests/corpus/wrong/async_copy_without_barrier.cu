// finding: race at 14
// why: a thread that has waited for its own copies knows nothing of the others'
// arch: compute_80
// launch: kernel=reverse grid=2 block=64 args=in:u32[128]:random,out:u32[128]:poison
#include <cuda_pipeline.h>

#include "../program.cuh"

extern "C" __global__ void reverse(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[blockIdx.x * 64 + threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}

int main() {
  const Buffer<unsigned> in(128, Fill::random);
  const Buffer<unsigned> out(128, Fill::poison);
  reverse<<<2, 64>>>(in.data(), out.data());
  return out.show();
}
