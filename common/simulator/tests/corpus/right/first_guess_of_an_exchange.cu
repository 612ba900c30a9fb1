// finding: none
// why: a stale first guess of a compare-and-swap loop costs one more round, and nothing else
// launch: kernel=sum grid=4 block=64 args=in:u32[256]:random,total:u64[1]:zero
#include "../program.cuh"

__device__ void add(unsigned long long* place, unsigned long long value) {
  unsigned long long old = *place;
  unsigned long long assumed;
  do {
    assumed = old;
    old = atomicCAS(place, assumed, assumed + value);
  } while (assumed != old);
}

extern "C" __global__ void sum(const unsigned* in, unsigned long long* total) {
  __shared__ unsigned long long of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  add(&of_block, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) add(total, of_block);
}

int main() {
  const Buffer<unsigned> in(256, Fill::random);
  const Buffer<unsigned long long> total(1, Fill::zero);
  sum<<<4, 64>>>(in.data(), total.data());
  return total.show();
}
