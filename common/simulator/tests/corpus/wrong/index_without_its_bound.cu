// finding: out-of-bounds at 13
// why: index = 2 * stride * t leaves the array for most threads
// launch: kernel=sum grid=1 block=128 shared=512 args=in:f32[128]:random,out:f32[1]:poison
#include "../program.cuh"

extern "C" __global__ void sum(const float* in, float* out) {
  extern __shared__ float partial[];
  const unsigned t = threadIdx.x;
  partial[t] = in[t];
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    const unsigned index = 2 * stride * t;
    partial[index] += partial[index + stride];
    __syncthreads();
  }
  if (t == 0) out[0] = partial[0];
}

int main() {
  const Buffer<float> in(128, Fill::random);
  const Buffer<float> out(1, Fill::poison);
  sum<<<1, 128, 512>>>(in.data(), out.data());
  return out.show();
}
