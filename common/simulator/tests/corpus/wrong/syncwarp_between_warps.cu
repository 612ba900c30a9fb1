// finding: race at 12 or 10
// also: uninitialised at 12
// why: __syncwarp orders the lanes of one warp, not two warps
// launch: kernel=reverse grid=1 block=64 args=in:f32[64]:random,out:f32[64]:poison
#include "../program.cuh"

extern "C" __global__ void reverse(const float* in, float* out) {
  __shared__ float s[64];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncwarp();
  out[t] = s[63 - t];
}

int main() {
  const Buffer<float> in(64, Fill::random);
  const Buffer<float> out(64, Fill::poison);
  reverse<<<1, 64>>>(in.data(), out.data());
  return out.show();
}
