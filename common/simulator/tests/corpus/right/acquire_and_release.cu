// finding: none
// why: cuda::atomic_ref: a release store and an acquire load in place of fences
// launch: kernel=hand_over grid=4 block=32 args=value:u32[4]:poison,flag:u32[4]:zero,out:u32[4]:poison
#include <cuda/atomic>

#include "../program.cuh"

using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
extern "C" __global__ void hand_over(unsigned* value, unsigned* flag, unsigned* out) {
  if (threadIdx.x != 0) return;
  const unsigned b = blockIdx.x;
  unsigned received = 7;
  if (b > 0) {
    while (Flag(flag[b - 1]).load(cuda::memory_order_acquire) == 0) {
    }
    received = value[b - 1];
  }
  value[b] = received + 1;
  Flag(flag[b]).store(1, cuda::memory_order_release);
  out[b] = received;
}

int main() {
  const Buffer<unsigned> value(4, Fill::poison);
  const Buffer<unsigned> flag(4, Fill::zero);
  const Buffer<unsigned> out(4, Fill::poison);
  hand_over<<<4, 32>>>(value.data(), flag.data(), out.data());
  return out.show();
}
