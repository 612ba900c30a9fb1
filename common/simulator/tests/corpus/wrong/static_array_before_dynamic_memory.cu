// finding: out-of-bounds at 11
// also: out-of-bounds at 13
// why: the array is too short, and the dynamic shared memory behind it hides that on a GPU
// launch: kernel=reverse grid=1 block=64 shared=256 args=in:f32[64]:random,out:f32[64]:poison
#include "../program.cuh"

// Whoever launches it provides memory for a block of any size; the kernel does not use it.
extern "C" __global__ void reverse(const float* in, float* out) {
  __shared__ float s[32];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[63 - t];
}

int main() {
  const Buffer<float> in(64, Fill::random);
  const Buffer<float> out(64, Fill::poison);
  reverse<<<1, 64, 256>>>(in.data(), out.data());
  return out.show();
}
