// finding: none
// why: a spin lock with a fence on each side protects plain reads and writes
// launch: kernel=sum grid=6 block=64 args=in:u32[6]:iota,lock:u32[1]:zero,total:u32[1]:zero
#include "../program.cuh"

extern "C" __global__ void sum(const unsigned* in, unsigned* lock, unsigned* total) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *total += in[blockIdx.x];
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  const Buffer<unsigned> in(6, Fill::iota);
  const Buffer<unsigned> lock(1, Fill::zero);
  const Buffer<unsigned> total(1, Fill::zero);
  sum<<<6, 64>>>(in.data(), lock.data(), total.data());
  return total.show();
}
