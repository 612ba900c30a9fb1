// finding: sync at 11
// also: sync at 13
// why: lanes leave the loop while others still shuffle with them
// launch: kernel=walk grid=1 block=32 args=in:u32[32]:iota,out:u32[32]:poison
#include "../program.cuh"

extern "C" __global__ void walk(const unsigned* in, unsigned* out) {
  const unsigned lane = threadIdx.x;
  unsigned value = in[lane];
  for (unsigned i = 0; i < in[lane] % 4; ++i) {
    value += __shfl_xor_sync(0xffffffffu, value, 1);
  }
  __syncwarp();
  out[lane] = value;
}

int main() {
  const Buffer<unsigned> in(32, Fill::iota);
  const Buffer<unsigned> out(32, Fill::poison);
  walk<<<1, 32>>>(in.data(), out.data());
  return out.show();
}
