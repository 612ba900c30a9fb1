// finding: out-of-bounds at 6
// why: the buffer was freed before the launch
// launch: kernel=clear grid=1 block=32 args=out:f32[4096]:freed
#include "../program.cuh"

extern "C" __global__ void clear(float* out) { out[threadIdx.x] = 0; }

int main() {
  const Buffer<float> out(4096, Fill::freed);
  clear<<<1, 32>>>(out.data());
  return out.show();
}
