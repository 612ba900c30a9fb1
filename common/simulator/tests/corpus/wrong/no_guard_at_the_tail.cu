// finding: out-of-bounds at 8
// why: the last block reads past the input
// launch: kernel=twice grid=4 block=256 args=in:f32[1000]:random,out:f32[1024]:poison
#include "../program.cuh"

extern "C" __global__ void twice(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = in[i];
  out[i] = 2 * value;
}

int main() {
  const Buffer<float> in(1000, Fill::random);
  const Buffer<float> out(1024, Fill::poison);
  twice<<<4, 256>>>(in.data(), out.data());
  return out.show();
}
