// finding: uninitialised at 8
// why: the scratch buffer comes fresh from cudaMalloc
// launch: kernel=add_scratch grid=2 block=64 args=in:f32[128]:random,scratch:f32[128]:poison,out:f32[128]:poison
#include "../program.cuh"

extern "C" __global__ void add_scratch(const float* in, const float* scratch, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + scratch[i];
}

int main() {
  const Buffer<float> in(128, Fill::random);
  const Buffer<float> scratch(128, Fill::poison);
  const Buffer<float> out(128, Fill::poison);
  add_scratch<<<2, 64>>>(in.data(), scratch.data(), out.data());
  return out.show();
}
