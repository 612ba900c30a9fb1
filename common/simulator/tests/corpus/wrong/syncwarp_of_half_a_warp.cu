// finding: race at 12 or 10
// also: uninitialised at 12
// why: lanes of different halves are not ordered by barriers of each half
// launch: kernel=swap_halves grid=1 block=32 args=in:f32[32]:random,out:f32[32]:poison
#include "../program.cuh"

extern "C" __global__ void swap_halves(const float* in, float* out) {
  __shared__ float s[32];
  const unsigned lane = threadIdx.x;
  s[lane] = in[lane];
  __syncwarp(lane < 16 ? 0x0000ffffu : 0xffff0000u);
  out[lane] = s[lane ^ 16];
}

int main() {
  const Buffer<float> in(32, Fill::random);
  const Buffer<float> out(32, Fill::poison);
  swap_halves<<<1, 32>>>(in.data(), out.data());
  return out.show();
}
