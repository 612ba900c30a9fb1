// finding: out-of-bounds at 10
// why: the guard protects the read but not the write
// launch: kernel=twice grid=4 block=256 args=in:f32[1000]:random,out:f32[1000]:poison,n:u32:1000
#include "../program.cuh"

extern "C" __global__ void twice(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = 0;
  if (i < n) value = in[i];
  out[i] = 2 * value;
}

int main() {
  const Buffer<float> in(1000, Fill::random);
  const Buffer<float> out(1000, Fill::poison);
  twice<<<4, 256>>>(in.data(), out.data(), unsigned(1000));
  return out.show();
}
