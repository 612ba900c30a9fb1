// finding: none
// why: the tail of a tree, a __syncwarp after every read and every write
// launch: kernel=sum grid=2 block=128 shared=512 args=in:u32[256]:random,out:u32[2]:poison
#include "../program.cuh"

extern "C" __global__ void sum(const unsigned* in, unsigned* out) {
  extern __shared__ unsigned partial[];
  const unsigned t = threadIdx.x;
  partial[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  if (t < 64) partial[t] += partial[t + 64];
  __syncthreads();
  if (t < 32) {
    unsigned value = partial[t] + partial[t + 32];
    for (unsigned d = 16; d > 0; d /= 2) {
      __syncwarp();
      partial[t] = value;
      __syncwarp();
      value += partial[(t + d) % 32];
    }
    if (t == 0) out[blockIdx.x] = value;
  }
}

int main() {
  const Buffer<unsigned> in(256, Fill::random);
  const Buffer<unsigned> out(2, Fill::poison);
  sum<<<2, 128, 512>>>(in.data(), out.data());
  return out.show();
}
