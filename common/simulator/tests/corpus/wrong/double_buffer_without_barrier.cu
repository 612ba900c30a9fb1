// finding: race at 14 or 11
// also: uninitialised at 14
// why: two buffers save one barrier a step, not both
// launch: kernel=scan grid=1 block=128 args=in:u32[128]:random,out:u32[128]:poison
#include "../program.cuh"

extern "C" __global__ void scan(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[2][128];
  const unsigned t = threadIdx.x;
  unsigned from = 0;
  s[0][t] = in[t];
  __syncthreads();
  for (unsigned d = 1; d < 128; d *= 2) {
    s[1 - from][t] = s[from][t] + (t >= d ? s[from][t - d] : 0);
    from = 1 - from;
  }
  out[t] = s[from][t];
}

int main() {
  const Buffer<unsigned> in(128, Fill::random);
  const Buffer<unsigned> out(128, Fill::poison);
  scan<<<1, 128>>>(in.data(), out.data());
  return out.show();
}
