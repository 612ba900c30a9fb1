// finding: none
// why: value, fence, flag; flag, fence, value: the message-passing pattern between blocks
// launch: kernel=hand_over grid=4 block=32 args=value:u32[4]:poison,flag:u32[4]:zero,out:u32[4]:poison
#include "../program.cuh"

extern "C" __global__ void hand_over(unsigned* value, unsigned* flag, unsigned* out) {
  if (threadIdx.x != 0) return;
  const unsigned b = blockIdx.x;
  unsigned received = 100;
  if (b > 0) {
    while (atomicAdd(&flag[b - 1], 0) == 0) {
    }
    __threadfence();
    received = value[b - 1];
  }
  value[b] = received + 1;
  __threadfence();
  atomicExch(&flag[b], 1);
  out[b] = received;
}

int main() {
  const Buffer<unsigned> value(4, Fill::poison);
  const Buffer<unsigned> flag(4, Fill::zero);
  const Buffer<unsigned> out(4, Fill::poison);
  hand_over<<<4, 32>>>(value.data(), flag.data(), out.data());
  return out.show();
}
