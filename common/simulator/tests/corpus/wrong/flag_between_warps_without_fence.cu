// finding: race at 18 or 12
// why: nothing orders the value before the flag that announces it
// launch: kernel=hand_over grid=1 block=64 args=in:u32[1]:iota,out:u32[1]:poison
#include "../program.cuh"

extern "C" __global__ void hand_over(const unsigned* in, unsigned* out) {
  __shared__ unsigned value;
  __shared__ volatile unsigned ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = in[0] + 42;
    ready = 1;
  }
  if (threadIdx.x == 32) {
    while (ready == 0) {
    }
    out[0] = value;
  }
}

int main() {
  const Buffer<unsigned> in(1, Fill::iota);
  const Buffer<unsigned> out(1, Fill::poison);
  hand_over<<<1, 64>>>(in.data(), out.data());
  return out.show();
}
