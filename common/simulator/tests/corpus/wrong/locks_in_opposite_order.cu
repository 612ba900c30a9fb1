// finding: deadlock at 14
// why: two warps take two locks in opposite order
// launch: kernel=transfer grid=1 block=64 args=locks:u32[2]:zero,waiting:u32[1]:zero,out:u32[2]:zero
#include "../program.cuh"

extern "C" __global__ void transfer(unsigned* locks, unsigned* waiting, unsigned* out) {
  if (threadIdx.x % 32 != 0) return;
  const unsigned mine = threadIdx.x / 32;
  while (atomicCAS(&locks[mine], 0, 1) != 0) {
  }
  atomicAdd(waiting, 1);
  while (atomicAdd(waiting, 0) < 2) {  // so that both hold their first lock
  }
  while (atomicCAS(&locks[1 - mine], 0, 1) != 0) continue;
  out[mine] = 1;
  atomicExch(&locks[1 - mine], 0);
  atomicExch(&locks[mine], 0);
}

int main() {
  const Buffer<unsigned> locks(2, Fill::zero);
  const Buffer<unsigned> waiting(1, Fill::zero);
  const Buffer<unsigned> out(2, Fill::zero);
  transfer<<<1, 64>>>(locks.data(), waiting.data(), out.data());
  return out.show();
}
