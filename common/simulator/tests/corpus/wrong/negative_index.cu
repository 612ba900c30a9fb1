// finding: out-of-bounds at 8
// why: thread 0 of the first block has no left neighbour
// launch: kernel=difference grid=2 block=64 args=in:f32[128]:random,out:f32[128]:poison
#include "../program.cuh"

extern "C" __global__ void difference(const float* in, float* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = in[i] - in[i - 1];
}

int main() {
  const Buffer<float> in(128, Fill::random);
  const Buffer<float> out(128, Fill::poison);
  difference<<<2, 64>>>(in.data(), out.data());
  return out.show();
}
