// finding: none
// why: two buffers taken in turn need one barrier a step
// launch: kernel=scan grid=2 block=128 args=in:u32[256]:random,out:u32[256]:poison
#include "../program.cuh"

extern "C" __global__ void scan(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[2][128];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  unsigned from = 0;
  s[0][t] = in[i];
  __syncthreads();
  for (unsigned d = 1; d < 128; d *= 2) {
    s[1 - from][t] = s[from][t] + (t >= d ? s[from][t - d] : 0);
    from = 1 - from;
    __syncthreads();
  }
  out[i] = s[from][t];
}

int main() {
  const Buffer<unsigned> in(256, Fill::random);
  const Buffer<unsigned> out(256, Fill::poison);
  scan<<<2, 128>>>(in.data(), out.data());
  return out.show();
}
