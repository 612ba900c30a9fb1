// finding: none
// why: shared atomics from all threads, cleared before and read after a barrier
// launch: kernel=histogram grid=3 block=128 args=in:u32[384]:random,out:u32[32]:zero
#include "../program.cuh"

extern "C" __global__ void histogram(const unsigned* in, unsigned* out) {
  __shared__ unsigned bins[32];
  const unsigned t = threadIdx.x;
  if (t < 32) bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[in[blockIdx.x * blockDim.x + t] % 32], 1u);
  __syncthreads();
  if (t < 32) atomicAdd(&out[t], bins[t]);
}

int main() {
  const Buffer<unsigned> in(384, Fill::random);
  const Buffer<unsigned> out(32, Fill::zero);
  histogram<<<3, 128>>>(in.data(), out.data());
  return out.show();
}
