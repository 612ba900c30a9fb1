// finding: none
// why: atomicCAS in a loop until nobody came between
// launch: kernel=largest grid=2 block=64 args=in:f32[128]:random,out:u32[1]:zero
#include "../program.cuh"

extern "C" __global__ void largest(const float* in, unsigned* out) {
  const float value = fabsf(in[blockIdx.x * blockDim.x + threadIdx.x]);
  unsigned seen = atomicAdd(out, 0);
  while (__uint_as_float(seen) < value) {
    const unsigned before = atomicCAS(out, seen, __float_as_uint(value));
    if (before == seen) break;
    seen = before;
  }
}

int main() {
  const Buffer<float> in(128, Fill::random);
  const Buffer<unsigned> out(1, Fill::zero);
  largest<<<2, 64>>>(in.data(), out.data());
  return out.show();
}
