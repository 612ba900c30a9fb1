// finding: uninitialised at 11
// why: half the threads fill the array that all of them read
// launch: kernel=reverse grid=1 block=256 args=in:f32[256]:random,out:f32[256]:poison
#include "../program.cuh"

extern "C" __global__ void reverse(const float* in, float* out) {
  __shared__ float s[256];
  const unsigned t = threadIdx.x;
  if (t < 128) s[t] = in[t];
  __syncthreads();
  out[t] = s[255 - t];
}

int main() {
  const Buffer<float> in(256, Fill::random);
  const Buffer<float> out(256, Fill::poison);
  reverse<<<1, 256>>>(in.data(), out.data());
  return out.show();
}
