// finding: timeout at 12 or 13 or 14 or 15
// why: (stride + 1) / 2 stays at 1 for ever
// launch: kernel=sum grid=1 block=64 args=in:f32[64]:random,out:f32[1]:poison
#include "../program.cuh"

extern "C" __global__ void sum(const float* in, float* out) {
  __shared__ float partial[128];
  const unsigned t = threadIdx.x;
  partial[t] = in[t];
  partial[t + 64] = 0;
  __syncthreads();
  for (unsigned stride = 32; stride > 0; stride = (stride + 1) / 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0) out[0] = partial[0];
}

int main() {
  const Buffer<float> in(64, Fill::random);
  const Buffer<float> out(1, Fill::poison);
  sum<<<1, 64>>>(in.data(), out.data());
  return out.show();
}
