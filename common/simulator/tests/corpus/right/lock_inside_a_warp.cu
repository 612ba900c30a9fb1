// finding: none
// why: every lane takes the lock in its turn: lanes make progress independently
// launch: kernel=sum grid=2 block=64 args=in:u32[128]:random,lock:u32[1]:zero,total:u32[1]:zero
#include "../program.cuh"

extern "C" __global__ void sum(const unsigned* in, unsigned* lock, unsigned* total) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *total += in[i];
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

int main() {
  const Buffer<unsigned> in(128, Fill::random);
  const Buffer<unsigned> lock(1, Fill::zero);
  const Buffer<unsigned> total(1, Fill::zero);
  sum<<<2, 64>>>(in.data(), lock.data(), total.data());
  return total.show();
}
