// finding: race at 12 or 10
// also: uninitialised at 12
// why: the tree starts while other threads are still loading
// launch: kernel=sum grid=2 block=256 shared=1024 args=in:f32[512]:random,out:f32[2]:poison
#include "../program.cuh"

extern "C" __global__ void sum(const float* in, float* out) {
  extern __shared__ float partial[];
  const unsigned t = threadIdx.x;
  partial[t] = in[blockIdx.x * blockDim.x + t];
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (t % (2 * stride) == 0) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

int main() {
  const Buffer<float> in(512, Fill::random);
  const Buffer<float> out(2, Fill::poison);
  sum<<<2, 256, 1024>>>(in.data(), out.data());
  return out.show();
}
