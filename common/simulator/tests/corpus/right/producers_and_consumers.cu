// finding: none
// why: named barriers: producers arrive, consumers wait, and the other way round
// launch: kernel=pipeline grid=1 block=64 args=in:u32[128]:random,out:u32[128]:poison,steps:u32:4
#include "../program.cuh"

__device__ void wait_at(int barrier) { asm volatile("bar.sync %0, 64;" ::"r"(barrier) : "memory"); }
__device__ void arrive_at(int barrier) { asm volatile("bar.arrive %0, 64;" ::"r"(barrier) : "memory"); }
extern "C" __global__ void pipeline(const unsigned* in, unsigned* out, unsigned steps) {
  __shared__ unsigned slot[32];
  const unsigned lane = threadIdx.x % 32;
  const int full = 1, empty = 2;
  if (threadIdx.x < 32) {
    for (unsigned i = 0; i < steps; ++i) {
      if (i > 0) wait_at(empty);
      slot[lane] = in[32 * i + lane];
      arrive_at(full);
    }
  } else {
    for (unsigned i = 0; i < steps; ++i) {
      wait_at(full);
      out[32 * i + lane] = slot[31 - lane];
      if (i + 1 < steps) arrive_at(empty);
    }
  }
}

int main() {
  const Buffer<unsigned> in(128, Fill::random);
  const Buffer<unsigned> out(128, Fill::poison);
  pipeline<<<1, 64>>>(in.data(), out.data(), unsigned(4));
  return out.show();
}
