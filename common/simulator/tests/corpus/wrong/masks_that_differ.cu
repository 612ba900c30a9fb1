// finding: sync at 9
// why: lanes that shuffle together name different partners
// launch: kernel=neighbours grid=1 block=32 args=in:u32[32]:random,out:u32[32]:poison
#include "../program.cuh"

extern "C" __global__ void neighbours(const unsigned* in, unsigned* out) {
  const unsigned lane = threadIdx.x;
  const unsigned mask = lane < 16 ? 0xffffffffu : 0xffff0000u;
  out[lane] = __shfl_xor_sync(mask, in[lane], 1);
}

int main() {
  const Buffer<unsigned> in(32, Fill::random);
  const Buffer<unsigned> out(32, Fill::poison);
  neighbours<<<1, 32>>>(in.data(), out.data());
  return out.show();
}
