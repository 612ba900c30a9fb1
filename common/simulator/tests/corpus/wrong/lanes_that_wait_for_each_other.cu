// finding: deadlock at 10
// why: each of two lanes waits for the flag that the other sets afterwards
// launch: kernel=handshake grid=1 block=32 args=flags:u32[2]:zero
#include "../program.cuh"

extern "C" __global__ void handshake(unsigned* flags) {
  volatile unsigned* shared_flags = flags;
  const unsigned lane = threadIdx.x;
  if (lane < 2) {
    while (shared_flags[1 - lane] == 0) continue;
    shared_flags[lane] = 1;
  }
}

int main() {
  const Buffer<unsigned> flags(2, Fill::zero);
  handshake<<<1, 32>>>(flags.data());
  return flags.show();
}
