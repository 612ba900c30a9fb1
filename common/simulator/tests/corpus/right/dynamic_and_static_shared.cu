// finding: none
// why: two static arrays and a dynamic one side by side, each filled to its end
// launch: kernel=three grid=1 block=128 shared=512 args=in:u32[128]:random,out:u32[128]:poison
#include "../program.cuh"

extern __shared__ unsigned dynamic_part[];
extern "C" __global__ void three(const unsigned* in, unsigned* out) {
  __shared__ unsigned first[128];
  __shared__ unsigned short second[128];
  const unsigned t = threadIdx.x;
  first[t] = in[t];
  second[t] = static_cast<unsigned short>(in[t] >> 3);
  dynamic_part[t] = in[t] ^ 0x5555u;
  __syncthreads();
  out[t] = first[127 - t] + second[(t + 1) % 128] + dynamic_part[t ^ 64];
}

int main() {
  const Buffer<unsigned> in(128, Fill::random);
  const Buffer<unsigned> out(128, Fill::poison);
  three<<<1, 128, 512>>>(in.data(), out.data());
  return out.show();
}
