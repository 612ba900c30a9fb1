// finding: race at 12 or 10
// why: one thread writes a byte of the word that another writes whole
// launch: kernel=mix grid=1 block=64 args=out:u32[32]:poison
#include "../program.cuh"

extern "C" __global__ void mix(unsigned* out) {
  __shared__ unsigned words[32];
  const unsigned t = threadIdx.x;
  if (t < 32)
    words[t] = t;
  else
    reinterpret_cast<unsigned char*>(words)[4 * (t - 32) + 1] = 7;
  __syncthreads();
  if (t < 32) out[t] = words[t];
}

int main() {
  const Buffer<unsigned> out(32, Fill::poison);
  mix<<<1, 64>>>(out.data());
  return out.show();
}
