// finding: deadlock at 11
// why: thread 256 of a block of 256 is to set the flag
// launch: kernel=wait_for grid=1 block=256 args=out:u32[256]:poison
#include "../program.cuh"

extern "C" __global__ void wait_for(unsigned* out) {
  __shared__ volatile unsigned ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == blockDim.x) ready = 1;
  while (ready == 0) continue;
  out[threadIdx.x] = 1;
}

int main() {
  const Buffer<unsigned> out(256, Fill::poison);
  wait_for<<<1, 256>>>(out.data());
  return out.show();
}
