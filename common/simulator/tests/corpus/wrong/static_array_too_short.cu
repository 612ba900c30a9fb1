// finding: out-of-bounds at 10
// also: out-of-bounds at 12
// why: 64 threads write an array of 32
// launch: kernel=reverse grid=1 block=64 args=in:f32[64]:random,out:f32[64]:poison
#include "../program.cuh"

extern "C" __global__ void reverse(const float* in, float* out) {
  __shared__ float s[32];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[63 - t];
}

int main() {
  const Buffer<float> in(64, Fill::random);
  const Buffer<float> out(64, Fill::poison);
  reverse<<<1, 64>>>(in.data(), out.data());
  return out.show();
}
