// finding: race at 12 or 9
// why: the consumer waits at a barrier that its producer has nothing to do with
// launch: kernel=pairs grid=1 block=128 args=in:u32[64]:random,out:u32[64]:poison
#include "../program.cuh"

extern "C" __global__ void pairs(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[64];
  const unsigned t = threadIdx.x, warp = t / 32;
  if (warp < 2) s[t] = in[t];
  // Warps 0 and 2 meet at one barrier, warps 1 and 3 at another; but warp 2 reads what warp 1 wrote.
  asm volatile("bar.sync %0, 64;" ::"r"(1 + warp % 2) : "memory");
  if (warp >= 2) out[t - 64] = s[(t - 64) ^ 32];
}

int main() {
  const Buffer<unsigned> in(64, Fill::random);
  const Buffer<unsigned> out(64, Fill::poison);
  pairs<<<1, 128>>>(in.data(), out.data());
  return out.show();
}
