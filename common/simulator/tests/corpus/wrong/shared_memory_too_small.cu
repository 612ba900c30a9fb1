// finding: out-of-bounds at 10
// also: out-of-bounds at 12
// why: the launch gives half the shared memory that the kernel uses
// launch: kernel=reverse grid=1 block=256 shared=512 args=in:f32[256]:random,out:f32[256]:poison
#include "../program.cuh"

extern "C" __global__ void reverse(const float* in, float* out) {
  extern __shared__ float s[];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[255 - t];
}

int main() {
  const Buffer<float> in(256, Fill::random);
  const Buffer<float> out(256, Fill::poison);
  reverse<<<1, 256, 512>>>(in.data(), out.data());
  return out.show();
}
