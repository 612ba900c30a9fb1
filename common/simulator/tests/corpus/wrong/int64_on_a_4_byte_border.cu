// finding: misaligned at 10
// why: an 8-byte atomic on a 4-byte border of shared memory
// launch: kernel=count grid=1 block=64 args=out:u32[4]:poison
#include "../program.cuh"

extern "C" __global__ void count(unsigned* out) {
  __shared__ __align__(8) unsigned words[4];
  if (threadIdx.x < 4) words[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(reinterpret_cast<unsigned long long*>(words + 1), 1ull);
  __syncthreads();
  if (threadIdx.x < 4) out[threadIdx.x] = words[threadIdx.x];
}

int main() {
  const Buffer<unsigned> out(4, Fill::poison);
  count<<<1, 64>>>(out.data());
  return out.show();
}
