// finding: barrier at 13 or 17
// also: race at 14
// also: race at 18
// why: two halves of the block each wait at a barrier of their own
// launch: kernel=halves grid=1 block=128 args=in:f32[128]:random,out:f32[128]:poison
#include "../program.cuh"

extern "C" __global__ void halves(const float* in, float* out) {
  __shared__ float s[128];
  const unsigned t = threadIdx.x;
  if (t < 64) {
    s[t] = in[t];
    __syncthreads();
    out[t] = s[127 - t] + 1;
  } else {
    s[t] = 2 * in[t];
    __syncthreads();
    out[t] = s[127 - t] * 3;
  }
}

int main() {
  const Buffer<float> in(128, Fill::random);
  const Buffer<float> out(128, Fill::poison);
  halves<<<1, 128>>>(in.data(), out.data());
  return out.show();
}
