// finding: out-of-bounds at 8
// why: the largest key has no bin
// launch: kernel=histogram grid=1 block=128 args=in:u32[128]:iota,out:u32[16]:zero
#include "../program.cuh"

extern "C" __global__ void histogram(const unsigned* in, unsigned* out) {
  const unsigned key = in[threadIdx.x] % 17;
  atomicAdd(&out[key], 1u);
}

int main() {
  const Buffer<unsigned> in(128, Fill::iota);
  const Buffer<unsigned> out(16, Fill::zero);
  histogram<<<1, 128>>>(in.data(), out.data());
  return out.show();
}
