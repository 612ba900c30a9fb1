// finding: none
// why: threads that have left are not waited for, whole warps or part of one
// launch: kernel=reverse grid=3 block=128 args=in:u32[300]:random,out:u32[300]:poison,n:u32:300
#include "../program.cuh"

extern "C" __global__ void reverse(const unsigned* in, unsigned* out, unsigned n) {
  __shared__ unsigned s[128];
  const unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;
  if (first + t >= n) return;
  const unsigned here = min(blockDim.x, n - first);
  s[t] = in[first + t];
  __syncthreads();
  out[first + t] = s[here - 1 - t];
}

int main() {
  const Buffer<unsigned> in(300, Fill::random);
  const Buffer<unsigned> out(300, Fill::poison);
  reverse<<<3, 128>>>(in.data(), out.data(), unsigned(300));
  return out.show();
}
