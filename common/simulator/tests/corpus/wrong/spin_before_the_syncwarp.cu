// finding: deadlock at 9
// why: lane 0 waits for lane 1, which waits for lane 0 at the __syncwarp
// launch: kernel=wait_for grid=1 block=32 args=flag:u32[1]:zero
#include "../program.cuh"

extern "C" __global__ void wait_for(unsigned* flag) {
  volatile unsigned* ready = flag;
  if (threadIdx.x == 0) {
    while (*ready == 0) continue;
  }
  __syncwarp();
  if (threadIdx.x == 1) *ready = 1;
}

int main() {
  const Buffer<unsigned> flag(1, Fill::zero);
  wait_for<<<1, 32>>>(flag.data());
  return flag.show();
}
