// finding: race at 8 or 7
// why: the counter is read while other threads still add to it
// launch: kernel=count grid=2 block=64 args=counter:u32[1]:zero,out:u32[128]:poison
#include "../program.cuh"

extern "C" __global__ void count(unsigned* counter, unsigned* out) {
  atomicAdd(counter, 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = *counter;
}

int main() {
  const Buffer<unsigned> counter(1, Fill::zero);
  const Buffer<unsigned> out(128, Fill::poison);
  count<<<2, 64>>>(counter.data(), out.data());
  return out.show();
}
