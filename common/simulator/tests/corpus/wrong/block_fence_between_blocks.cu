// finding: race at 16 or 9
// why: a fence of block scope does not order what another block sees
// launch: kernel=hand_over grid=2 block=32 args=in:u32[2]:iota,value:u32[1]:poison,flag:u32[1]:zero,out:u32[1]:poison
#include "../program.cuh"

extern "C" __global__ void hand_over(const unsigned* in, unsigned* value, unsigned* flag, unsigned* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    value[0] = in[0] + 42;
    __threadfence_block();
    atomicExch(flag, 1u);
  } else {
    while (atomicAdd(flag, 0u) == 0) {
    }
    __threadfence_block();
    out[0] = value[0];
  }
}

int main() {
  const Buffer<unsigned> in(2, Fill::iota);
  const Buffer<unsigned> value(1, Fill::poison);
  const Buffer<unsigned> flag(1, Fill::zero);
  const Buffer<unsigned> out(1, Fill::poison);
  hand_over<<<2, 32>>>(in.data(), value.data(), flag.data(), out.data());
  return out.show();
}
