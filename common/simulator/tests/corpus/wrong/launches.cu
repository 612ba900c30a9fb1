/// \file Launches that are refused.
#include "../launching_program.cuh"

// finding: launch
// why: a block of no threads cannot be launched
namespace empty_block {

__global__ void clear(float* out) { out[threadIdx.x] = 0; }

const LaunchingProgram program("empty_block", {{clear, "grid=1 block=0 args=out:f32[32]:poison"}});

}  // namespace empty_block

// finding: launch
// why: a block has at most 1024 threads
namespace too_many_threads {

__global__ void clear(float* out) { out[threadIdx.x] = 0; }

const LaunchingProgram program("too_many_threads", {{clear, "grid=1 block=2048 args=out:f32[2048]:poison"}});

}  // namespace too_many_threads

// finding: launch
// why: no block has 300000 bytes of shared memory
namespace too_much_shared_memory {

__global__ void clear(float* out) {
  extern __shared__ float partial[];
  partial[threadIdx.x] = 0;
  out[threadIdx.x] = partial[threadIdx.x];
}

const LaunchingProgram program("too_much_shared_memory",
                               {{clear, "grid=1 block=32 shared=300000 args=out:f32[32]:poison"}});

}  // namespace too_much_shared_memory
