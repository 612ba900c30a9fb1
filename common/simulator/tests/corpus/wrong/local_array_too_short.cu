// finding: out-of-bounds at 11
// also: uninitialised at 11
// why: the index into a local array is not bounded
// launch: kernel=pick grid=1 block=32 args=in:u32[32]:iota,out:u32[32]:poison
#include "../program.cuh"

extern "C" __global__ void pick(const unsigned* in, unsigned* out) {
  unsigned table[8];
  for (unsigned i = 0; i < 8; ++i) table[i] = in[i] * in[threadIdx.x];
  const unsigned k = in[threadIdx.x] * 97;
  out[threadIdx.x] = table[k];
}

int main() {
  const Buffer<unsigned> in(32, Fill::iota);
  const Buffer<unsigned> out(32, Fill::poison);
  pick<<<1, 32>>>(in.data(), out.data());
  return out.show();
}
