// finding: out-of-bounds at 11
// why: a block of 32 has no second half to add
// launch: kernel=sum grid=1 block=32 shared=128 args=in:f32[32]:random,out:f32[1]:poison
#include "../program.cuh"

extern "C" __global__ void sum(const float* in, float* out) {
  extern __shared__ float partial[];
  const unsigned t = threadIdx.x;
  partial[t] = in[t];
  __syncthreads();
  if (t < 32) partial[t] += partial[t + 32];
  __syncwarp();
  if (t == 0) out[0] = partial[0];
}

int main() {
  const Buffer<float> in(32, Fill::random);
  const Buffer<float> out(1, Fill::poison);
  sum<<<1, 32, 128>>>(in.data(), out.data());
  return out.show();
}
