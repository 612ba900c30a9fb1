// finding: sync at 9
// why: lanes 0 to 15 read from lanes that take no part
// launch: kernel=upper_half grid=1 block=32 args=in:f32[32]:random,out:f32[16]:poison
#include "../program.cuh"

extern "C" __global__ void upper_half(const float* in, float* out) {
  const unsigned lane = threadIdx.x;
  const float value = in[lane];
  if (lane < 16) out[lane] = __shfl_sync(0x0000ffffu, value, lane + 16);
}

int main() {
  const Buffer<float> in(32, Fill::random);
  const Buffer<float> out(16, Fill::poison);
  upper_half<<<1, 32>>>(in.data(), out.data());
  return out.show();
}
