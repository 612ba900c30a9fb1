// finding: unsupported at 8
// why: a named barrier for each warp of a block of 32 warps: there are 16 barriers
// launch: kernel=by_warp grid=1 block=1024 args=out:u32[1024]:poison
#include "../program.cuh"

extern "C" __global__ void by_warp(unsigned* out) {
  const unsigned warp = threadIdx.x / 32;
  asm volatile("bar.sync %0, 32;" ::"r"(warp) : "memory");
  out[threadIdx.x] = warp;
}

int main() {
  const Buffer<unsigned> out(1024, Fill::poison);
  by_warp<<<1, 1024>>>(out.data());
  return out.show();
}
