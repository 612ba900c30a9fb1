// finding: race at 12
// why: nothing separates one level of the tree from the next
// launch: kernel=sum grid=2 block=256 shared=1024 args=in:f32[512]:random,out:f32[2]:poison
#include "../program.cuh"

extern "C" __global__ void sum(const float* in, float* out) {
  extern __shared__ float partial[];
  const unsigned t = threadIdx.x;
  partial[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (t % (2 * stride) == 0) partial[t] += partial[t + stride];
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

int main() {
  const Buffer<float> in(512, Fill::random);
  const Buffer<float> out(2, Fill::poison);
  sum<<<2, 256, 1024>>>(in.data(), out.data());
  return out.show();
}
