// finding: barrier at 13 or 16
// also: race at 14
// also: race at 17
// why: threads run through the barrier a different number of times
// launch: kernel=walk grid=1 block=64 args=in:f32[64]:random,out:f32[64]:poison
#include "../program.cuh"

extern "C" __global__ void walk(const float* in, float* out) {
  __shared__ float s[64];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  for (unsigned i = 0; i < t / 16; ++i) {
    __syncthreads();
    s[t] += 1;
  }
  __syncthreads();
  out[t] = s[63 - t];
}

int main() {
  const Buffer<float> in(64, Fill::random);
  const Buffer<float> out(64, Fill::poison);
  walk<<<1, 64>>>(in.data(), out.data());
  return out.show();
}
