// finding: uninitialised at 11
// why: only n of the eight slots are filled, all are summed
// launch: kernel=sum grid=1 block=32 args=in:u32[32]:iota,out:u32[32]:poison,n:u32:5
#include "../program.cuh"

extern "C" __global__ void sum(const unsigned* in, unsigned* out, unsigned n) {
  unsigned table[8];
  for (unsigned i = 0; i < n; ++i) table[i] = in[i] * threadIdx.x;
  unsigned total = 0;
#pragma unroll 1
  for (unsigned i = 0; i < 8; ++i) total += table[(i + in[0]) % 8];
  out[threadIdx.x] = total;
}

int main() {
  const Buffer<unsigned> in(32, Fill::iota);
  const Buffer<unsigned> out(32, Fill::poison);
  sum<<<1, 32>>>(in.data(), out.data(), unsigned(5));
  return out.show();
}
