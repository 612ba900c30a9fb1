// finding: sync at 11
// also: sync at 13
// why: sixteen lanes shuffle, the mask promises thirty-two
// launch: kernel=half_sum grid=1 block=32 args=in:f32[32]:random,out:f32[32]:poison
#include "../program.cuh"

extern "C" __global__ void half_sum(const float* in, float* out) {
  const unsigned lane = threadIdx.x;
  float value = in[lane];
  if (lane < 16) {
    for (unsigned d = 8; d > 0; d /= 2) value += __shfl_xor_sync(0xffffffffu, value, d);
  }
  __syncwarp();
  out[lane] = value;
}

int main() {
  const Buffer<float> in(32, Fill::random);
  const Buffer<float> out(32, Fill::poison);
  half_sum<<<1, 32>>>(in.data(), out.data());
  return out.show();
}
