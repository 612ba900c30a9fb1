// finding: race at 6
// why: atomics of block scope do not exclude other blocks
// launch: kernel=count grid=4 block=64 args=counter:u32[1]:zero
#include "../program.cuh"

extern "C" __global__ void count(unsigned* counter) { atomicAdd_block(counter, 1u); }

int main() {
  const Buffer<unsigned> counter(1, Fill::zero);
  count<<<4, 64>>>(counter.data());
  return counter.show();
}
