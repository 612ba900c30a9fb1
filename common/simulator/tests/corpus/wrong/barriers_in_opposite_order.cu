// finding: barrier|deadlock at 8 or 9
// why: two warps wait at two named barriers, each at the other's second
// launch: kernel=cross grid=1 block=64 args=out:u32[64]:poison
#include "../program.cuh"

extern "C" __global__ void cross(unsigned* out) {
  const unsigned warp = threadIdx.x / 32;
  asm volatile("bar.sync %0, 64;" ::"r"(1 + warp) : "memory");
  asm volatile("bar.sync %0, 64;" ::"r"(2 - warp) : "memory");
  out[threadIdx.x] = warp;
}

int main() {
  const Buffer<unsigned> out(64, Fill::poison);
  cross<<<1, 64>>>(out.data());
  return out.show();
}
