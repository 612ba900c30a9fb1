// finding: race at 11
// why: two threads increase the same bin at once
// launch: kernel=histogram grid=1 block=128 args=in:u32[128]:random,out:u32[16]:poison
#include "../program.cuh"

extern "C" __global__ void histogram(const unsigned* in, unsigned* out) {
  __shared__ unsigned bins[16];
  const unsigned t = threadIdx.x;
  if (t < 16) bins[t] = 0;
  __syncthreads();
  bins[in[t] % 16] += 1;
  __syncthreads();
  if (t < 16) out[t] = bins[t];
}

int main() {
  const Buffer<unsigned> in(128, Fill::random);
  const Buffer<unsigned> out(16, Fill::poison);
  histogram<<<1, 128>>>(in.data(), out.data());
  return out.show();
}
