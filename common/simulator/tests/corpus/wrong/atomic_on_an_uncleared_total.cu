// finding: uninitialised at 8
// why: the total is added to but never set to zero
// launch: kernel=sum grid=2 block=64 args=in:u32[128]:random,out:u32[1]:poison
#include "../program.cuh"

extern "C" __global__ void sum(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(out, in[i]);
}

int main() {
  const Buffer<unsigned> in(128, Fill::random);
  const Buffer<unsigned> out(1, Fill::poison);
  sum<<<2, 64>>>(in.data(), out.data());
  return out.show();
}
