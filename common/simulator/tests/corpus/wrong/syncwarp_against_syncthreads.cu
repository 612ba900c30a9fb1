// finding: sync|barrier|deadlock at 9 or 11
// also: sync|barrier|deadlock at 9 or 11 or 13
// why: half a warp waits for the warp, the other half for the block
// launch: kernel=cross grid=1 block=64 args=out:u32[64]:poison
#include "../program.cuh"

extern "C" __global__ void cross(unsigned* out) {
  if (threadIdx.x % 32 < 16) {
    __syncwarp();
  } else {
    __syncthreads();
  }
  __syncthreads();
  out[threadIdx.x] = 1;
}

int main() {
  const Buffer<unsigned> out(64, Fill::poison);
  cross<<<1, 64>>>(out.data());
  return out.show();
}
