// finding: none
// why: after the barrier the counter is read plainly: nobody adds to it any more
// launch: kernel=count grid=2 block=128 args=in:u32[256]:random,out:u32[256]:poison
#include "../program.cuh"

extern "C" __global__ void count(const unsigned* in, unsigned* out) {
  __shared__ unsigned odd;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) odd = 0;
  __syncthreads();
  if (in[i] % 2 == 1) atomicAdd(&odd, 1u);
  __syncthreads();
  out[i] = odd;
}

int main() {
  const Buffer<unsigned> in(256, Fill::random);
  const Buffer<unsigned> out(256, Fill::poison);
  count<<<2, 128>>>(in.data(), out.data());
  return out.show();
}
