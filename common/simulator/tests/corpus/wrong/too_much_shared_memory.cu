// finding: launch
// why: no block has 300000 bytes of shared memory
// launch: kernel=clear grid=1 block=32 shared=300000 args=out:f32[32]:poison
#include "../program.cuh"

extern "C" __global__ void clear(float* out) {
  extern __shared__ float partial[];
  partial[threadIdx.x] = 0;
  out[threadIdx.x] = partial[threadIdx.x];
}

int main() {
  const Buffer<float> out(32, Fill::poison);
  clear<<<1, 32, 300000>>>(out.data());
  return out.show();
}
