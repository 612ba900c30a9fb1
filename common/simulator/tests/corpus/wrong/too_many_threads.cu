// finding: launch
// why: a block has at most 1024 threads
// launch: kernel=clear grid=1 block=2048 args=out:f32[2048]:poison
#include "../program.cuh"

extern "C" __global__ void clear(float* out) { out[threadIdx.x] = 0; }

int main() {
  const Buffer<float> out(2048, Fill::poison);
  clear<<<1, 2048>>>(out.data());
  return out.show();
}
