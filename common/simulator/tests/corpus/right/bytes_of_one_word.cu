// finding: none
// why: four threads write the four bytes of a word: neighbours, not the same place
// launch: kernel=bytes grid=2 block=64 args=in:u32[128]:random,out:u8[128]:poison
#include "../program.cuh"

extern "C" __global__ void bytes(const unsigned* in, unsigned char* out) {
  __shared__ unsigned char s[64];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = static_cast<unsigned char>(in[i]);
  out[i] = static_cast<unsigned char>(s[t] + 1);
  __syncthreads();
  out[i] = static_cast<unsigned char>(out[i] + s[63 - t]);
}

int main() {
  const Buffer<unsigned> in(128, Fill::random);
  const Buffer<unsigned char> out(128, Fill::poison);
  bytes<<<2, 64>>>(in.data(), out.data());
  return out.show();
}
