// finding: race at 11 or 10
// also: uninitialised at 11
// why: no barrier between clearing the bins and counting
// launch: kernel=histogram grid=1 block=128 args=in:u32[128]:random,out:u32[64]:poison
#include "../program.cuh"

extern "C" __global__ void histogram(const unsigned* in, unsigned* out) {
  __shared__ unsigned bins[64];
  const unsigned t = threadIdx.x;
  if (t < 64) bins[t] = 0;
  atomicAdd(&bins[in[t] % 64], 1u);
  __syncthreads();
  if (t < 64) out[t] = bins[t];
}

int main() {
  const Buffer<unsigned> in(128, Fill::random);
  const Buffer<unsigned> out(64, Fill::poison);
  histogram<<<1, 128>>>(in.data(), out.data());
  return out.show();
}
