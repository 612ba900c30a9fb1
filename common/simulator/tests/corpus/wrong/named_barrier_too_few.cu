// finding: barrier|deadlock at 7 or 8
// why: 32 threads wait at a barrier that asks for 64
// launch: kernel=wait_for grid=1 block=64 args=out:u32[64]:poison
#include "../program.cuh"

extern "C" __global__ void wait_for(unsigned* out) {
  if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;" ::: "memory");
  __syncthreads();
  out[threadIdx.x] = threadIdx.x;
}

int main() {
  const Buffer<unsigned> out(64, Fill::poison);
  wait_for<<<1, 64>>>(out.data());
  return out.show();
}
