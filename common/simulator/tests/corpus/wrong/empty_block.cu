// finding: launch
// why: a block of no threads cannot be launched
// launch: kernel=clear grid=1 block=0 args=out:f32[32]:poison
#include "../program.cuh"

extern "C" __global__ void clear(float* out) { out[threadIdx.x] = 0; }

int main() {
  const Buffer<float> out(32, Fill::poison);
  clear<<<1, 0>>>(out.data());
  return out.show();
}
