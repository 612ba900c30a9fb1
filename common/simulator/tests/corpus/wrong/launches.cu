/// \file Launches that are refused.
#include "../program.cuh"

// finding: launch
// why: a block of no threads cannot be launched
// launch: kernel=clear grid=1 block=0 args=out:f32[32]:poison
namespace empty_block {

__global__ void clear(float* out) { out[threadIdx.x] = 0; }

const Program program("empty_block", [] {
  const Buffer<float> out(32, Fill::poison);
  clear<<<1, 0>>>(out.data());
  return out.show();
});

}  // namespace empty_block

// finding: launch
// why: a block has at most 1024 threads
// launch: kernel=clear grid=1 block=2048 args=out:f32[2048]:poison
namespace too_many_threads {

__global__ void clear(float* out) { out[threadIdx.x] = 0; }

const Program program("too_many_threads", [] {
  const Buffer<float> out(2048, Fill::poison);
  clear<<<1, 2048>>>(out.data());
  return out.show();
});

}  // namespace too_many_threads

// finding: launch
// why: no block has 300000 bytes of shared memory
// launch: kernel=clear grid=1 block=32 shared=300000 args=out:f32[32]:poison
namespace too_much_shared_memory {

__global__ void clear(float* out) {
  extern __shared__ float partial[];
  partial[threadIdx.x] = 0;
  out[threadIdx.x] = partial[threadIdx.x];
}

const Program program("too_much_shared_memory", [] {
  const Buffer<float> out(32, Fill::poison);
  clear<<<1, 32, 300000>>>(out.data());
  return out.show();
});

}  // namespace too_much_shared_memory
