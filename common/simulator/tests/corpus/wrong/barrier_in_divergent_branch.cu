// finding: barrier at 12 or 15
// also: race at 16
// why: some threads wait at one barrier and the rest at another
// launch: kernel=reverse grid=1 block=256 args=in:f32[256]:random,out:f32[256]:poison
#include "../program.cuh"

extern "C" __global__ void reverse(const float* in, float* out) {
  __shared__ float s[256];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  if (t < 100) {
    __syncthreads();
    s[t] += 1;
  }
  __syncthreads();
  out[t] = s[255 - t];
}

int main() {
  const Buffer<float> in(256, Fill::random);
  const Buffer<float> out(256, Fill::poison);
  reverse<<<1, 256>>>(in.data(), out.data());
  return out.show();
}
