// finding: none
// why: many threads store the same value into the same word; a barrier comes before it is read
// launch: kernel=any_large grid=2 block=128 args=in:u32[256]:random,out:u32[2]:poison
#include "../program.cuh"

extern "C" __global__ void any_large(const unsigned* in, unsigned* out) {
  __shared__ unsigned found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (in[blockIdx.x * blockDim.x + threadIdx.x] % 5 == 0) found = 1;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = found;
}

int main() {
  const Buffer<unsigned> in(256, Fill::random);
  const Buffer<unsigned> out(2, Fill::poison);
  any_large<<<2, 128>>>(in.data(), out.data());
  return out.show();
}
