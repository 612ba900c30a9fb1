// finding: none
// why: each pair of warps meets at a barrier of its own
// launch: kernel=pairs grid=1 block=128 args=in:u32[128]:random,out:u32[128]:poison
#include "../program.cuh"

extern "C" __global__ void pairs(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[128];
  const unsigned t = threadIdx.x, pair = t / 64;
  s[t] = in[t];
  asm volatile("bar.sync %0, 64;" ::"r"(1 + pair) : "memory");
  out[t] = s[64 * pair + 63 - t % 64];
}

int main() {
  const Buffer<unsigned> in(128, Fill::random);
  const Buffer<unsigned> out(128, Fill::poison);
  pairs<<<1, 128>>>(in.data(), out.data());
  return out.show();
}
