// finding: none
// why: one warp polls a volatile flag of another, with fences around the value
// launch: kernel=relay grid=1 block=128 args=out:u32[4]:poison
#include "../program.cuh"

extern "C" __global__ void relay(unsigned* out) {
  __shared__ unsigned value[4];
  __shared__ volatile unsigned ready[4];
  const unsigned warp = threadIdx.x / 32;
  if (threadIdx.x < 4) ready[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x % 32 != 0) return;
  unsigned received = 1;
  if (warp > 0) {
    while (ready[warp - 1] == 0) {
    }
    __threadfence_block();
    received = value[warp - 1];
  }
  value[warp] = 3 * received;
  __threadfence_block();
  ready[warp] = 1;
  out[warp] = received;
}

int main() {
  const Buffer<unsigned> out(4, Fill::poison);
  relay<<<1, 128>>>(out.data());
  return out.show();
}
