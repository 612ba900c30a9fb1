// finding: deadlock at 8
// why: the thread that holds the lock returns with it
// launch: kernel=sum grid=2 block=32 args=lock:u32[1]:zero,total:u32[1]:zero
#include "../program.cuh"

extern "C" __global__ void sum(unsigned* lock, unsigned* total) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) continue;
  atomicAdd(total, 1);
}

int main() {
  const Buffer<unsigned> lock(1, Fill::zero);
  const Buffer<unsigned> total(1, Fill::zero);
  sum<<<2, 32>>>(lock.data(), total.data());
  return total.show();
}
