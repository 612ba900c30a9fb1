// finding: deadlock at 9
// why: thread 0 waits for a flag that is set behind a barrier it has not reached
// launch: kernel=wait_for grid=1 block=64 args=flag:u32[1]:zero
#include "../program.cuh"

extern "C" __global__ void wait_for(unsigned* flag) {
  volatile unsigned* ready = flag;
  if (threadIdx.x == 0) {
    while (*ready == 0) continue;
  }
  __syncthreads();
  if (threadIdx.x == 32) *ready = 1;
}

int main() {
  const Buffer<unsigned> flag(1, Fill::zero);
  wait_for<<<1, 64>>>(flag.data());
  return flag.show();
}
