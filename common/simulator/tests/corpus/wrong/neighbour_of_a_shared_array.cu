// finding: out-of-bounds at 10
// why: the upper half of the block writes past the end of one shared array, on a GPU into the other
// launch: kernel=rotate grid=1 block=32 args=in:f32[32]:random,out:f32[32]:poison
#include "../program.cuh"

extern "C" __global__ void rotate(const float* in, float* out) {
  __shared__ float a[32], b[32];
  const unsigned t = threadIdx.x;
  b[t] = in[t];
  a[t + 16] = in[t];
  __syncthreads();
  out[t] = t < 16 ? b[t] : a[t];
}

int main() {
  const Buffer<float> in(32, Fill::random);
  const Buffer<float> out(32, Fill::poison);
  rotate<<<1, 32>>>(in.data(), out.data());
  return out.show();
}
