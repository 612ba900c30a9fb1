// finding: race at 12 or 10
// also: uninitialised at 12
// why: a shuffle exchanges registers; it does not order shared memory
// launch: kernel=rotate grid=1 block=32 args=in:u32[32]:random,out:u32[32]:poison
#include "../program.cuh"

extern "C" __global__ void rotate(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[32];
  const unsigned lane = threadIdx.x;
  s[lane] = in[lane];
  const unsigned sum = __shfl_xor_sync(0xffffffffu, in[lane], 1);
  out[lane] = sum + s[(lane + 1) % 32];
}

int main() {
  const Buffer<unsigned> in(32, Fill::random);
  const Buffer<unsigned> out(32, Fill::poison);
  rotate<<<1, 32>>>(in.data(), out.data());
  return out.show();
}
