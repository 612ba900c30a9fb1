// finding: sync at 12
// also: race at 13
// also: uninitialised at 13
// why: lanes wait at a __syncwarp whose mask leaves them out
// launch: kernel=rotate grid=1 block=32 args=in:u32[32]:random,out:u32[32]:poison
#include "../program.cuh"

extern "C" __global__ void rotate(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[32];
  const unsigned lane = threadIdx.x;
  s[lane] = in[lane];
  __syncwarp(0x0000ffffu);
  out[lane] = s[(lane + 1) % 32];
}

int main() {
  const Buffer<unsigned> in(32, Fill::random);
  const Buffer<unsigned> out(32, Fill::poison);
  rotate<<<1, 32>>>(in.data(), out.data());
  return out.show();
}
