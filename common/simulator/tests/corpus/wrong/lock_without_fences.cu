// finding: race at 10
// why: the lock admits one thread at a time but does not order what each did inside
// launch: kernel=sum grid=4 block=32 args=in:u32[4]:iota,lock:u32[1]:zero,total:u32[1]:zero
#include "../program.cuh"

extern "C" __global__ void sum(const unsigned* in, unsigned* lock, unsigned* total) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *total += in[blockIdx.x];
  atomicExch(lock, 0);
}

int main() {
  const Buffer<unsigned> in(4, Fill::iota);
  const Buffer<unsigned> lock(1, Fill::zero);
  const Buffer<unsigned> total(1, Fill::zero);
  sum<<<4, 32>>>(in.data(), lock.data(), total.data());
  return total.show();
}
