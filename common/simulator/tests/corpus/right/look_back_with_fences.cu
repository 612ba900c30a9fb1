// finding: none
// why: flag and value in two words, ordered by a fence on either side
// launch: kernel=prefix grid=8 block=64 args=in:u32[512]:random,value:u32[8]:poison,flag:u32[8]:zero,out:u32[8]:poison
#include "../program.cuh"

extern "C" __global__ void prefix(const unsigned* in, unsigned* value, unsigned* flag, unsigned* out) {
  __shared__ unsigned sum;
  const unsigned t = threadIdx.x, b = blockIdx.x;
  if (t == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[b * blockDim.x + t] % 1000);
  __syncthreads();
  if (t == 0) {
    unsigned before = 0;
    if (b > 0) {
      while (*static_cast<volatile unsigned*>(flag + b - 1) == 0) {
      }
      __threadfence();
      before = value[b - 1];
    }
    value[b] = before + sum;
    __threadfence();
    *static_cast<volatile unsigned*>(flag + b) = 1;
    out[b] = before;
  }
}

int main() {
  const Buffer<unsigned> in(512, Fill::random);
  const Buffer<unsigned> value(8, Fill::poison);
  const Buffer<unsigned> flag(8, Fill::zero);
  const Buffer<unsigned> out(8, Fill::poison);
  prefix<<<8, 64>>>(in.data(), value.data(), flag.data(), out.data());
  return out.show();
}
