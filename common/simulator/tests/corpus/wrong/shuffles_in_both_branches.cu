// finding: sync at 10 or 12
// why: the halves of a warp wait for each other at shuffles of different kinds
// launch: kernel=both grid=1 block=32 args=in:u32[32]:random,out:u32[32]:poison
#include "../program.cuh"

extern "C" __global__ void both(const unsigned* in, unsigned* out) {
  const unsigned lane = threadIdx.x;
  unsigned value = in[lane];
  if (lane % 2 == 0) {
    value = 3 * __shfl_down_sync(0xffffffffu, value, 2);
  } else {
    value = 5 + __shfl_xor_sync(0xffffffffu, value, 2);
  }
  out[lane] = value;
}

int main() {
  const Buffer<unsigned> in(32, Fill::random);
  const Buffer<unsigned> out(32, Fill::poison);
  both<<<1, 32>>>(in.data(), out.data());
  return out.show();
}
