// finding: none
// why: each thread calls a function that calls itself, to a depth of its own
// launch: kernel=table grid=1 block=32 args=out:u32[32]:poison
#include "../program.cuh"

__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
extern "C" __global__ void table(unsigned* out) {
  out[threadIdx.x] = ackermann(threadIdx.x % 3, threadIdx.x / 3 % 4);
}

int main() {
  const Buffer<unsigned> out(32, Fill::poison);
  table<<<1, 32>>>(out.data());
  return out.show();
}
