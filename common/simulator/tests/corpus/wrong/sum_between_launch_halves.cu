// finding: race at 10 or 8
// why: blocks read what other blocks of the same launch write
// launch: kernel=two_steps grid=4 block=32 args=in:f32[128]:random,middle:f32[128]:zero,out:f32[128]:poison
#include "../program.cuh"

extern "C" __global__ void two_steps(const float* in, float* middle, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  middle[i] = 2 * in[i];
  __syncthreads();
  out[i] = middle[n - 1 - i];
}

int main() {
  const Buffer<float> in(128, Fill::random);
  const Buffer<float> middle(128, Fill::zero);
  const Buffer<float> out(128, Fill::poison);
  two_steps<<<4, 32>>>(in.data(), middle.data(), out.data());
  return out.show();
}
