// finding: out-of-bounds at 6
// why: a buffer that was never allocated
// launch: kernel=clear grid=1 block=32 args=out:f32[0]:null
#include "../program.cuh"

extern "C" __global__ void clear(float* out) { out[threadIdx.x] = 0; }

int main() {
  const Buffer<float> out(0, Fill::null);
  clear<<<1, 32>>>(out.data());
  return out.show();
}
