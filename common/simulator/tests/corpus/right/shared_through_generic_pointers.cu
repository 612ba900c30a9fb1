// finding: none
// why: a function that is not inlined sees shared and global memory through one pointer type
// launch: kernel=mirror grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison
#include "../program.cuh"

__device__ __noinline__ void copy_mirrored(const unsigned* from, unsigned* to, unsigned t, unsigned n) {
  to[t] = from[n - 1 - t];
}
extern "C" __global__ void mirror(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[64];
  copy_mirrored(in, s, threadIdx.x, 64);
  __syncthreads();
  copy_mirrored(s, out, threadIdx.x, 64);
}

int main() {
  const Buffer<unsigned> in(64, Fill::random);
  const Buffer<unsigned> out(64, Fill::poison);
  mirror<<<1, 64>>>(in.data(), out.data());
  return out.show();
}
