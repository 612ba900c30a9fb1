// finding: barrier at 16 or 19
// also: race at 15
// also: race at 20
// why: idle threads skip the barrier of each level
// launch: kernel=sum grid=1 block=128 args=in:f32[128]:random,out:f32[1]:poison
#include "../program.cuh"

extern "C" __global__ void sum(const float* in, float* out) {
  __shared__ float partial[128];
  const unsigned t = threadIdx.x;
  partial[t] = in[t];
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (t % (2 * stride) == 0) {
      partial[t] += partial[t + stride];
      __syncthreads();
    }
  }
  __syncthreads();
  if (t == blockDim.x - 1) out[0] = partial[0];
}

int main() {
  const Buffer<float> in(128, Fill::random);
  const Buffer<float> out(1, Fill::poison);
  sum<<<1, 128>>>(in.data(), out.data());
  return out.show();
}
