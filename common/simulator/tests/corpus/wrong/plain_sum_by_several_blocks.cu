// finding: race at 9
// why: read, add and write of several blocks interleave
// launch: kernel=sum grid=8 block=32 args=in:f32[256]:random,out:f32[1]:zero
#include "../program.cuh"

extern "C" __global__ void sum(const float* in, float* out) {
  float value = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (unsigned d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
  if (threadIdx.x == 0) *out += value;
}

int main() {
  const Buffer<float> in(256, Fill::random);
  const Buffer<float> out(1, Fill::zero);
  sum<<<8, 32>>>(in.data(), out.data());
  return out.show();
}
