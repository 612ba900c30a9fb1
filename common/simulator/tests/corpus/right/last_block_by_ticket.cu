// finding: none
// why: the block that draws the last ticket adds the sums: fence, ticket, fence, barrier
// launch: kernel=sum grid=8 block=64 args=in:u32[512]:random,sums:u32[8]:poison,tickets:u32[1]:zero,out:u32[1]:poison
#include "../program.cuh"

__device__ unsigned block_sum(unsigned value, unsigned* partial) {
  const unsigned t = threadIdx.x;
  partial[t] = value;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  return partial[0];
}
extern "C" __global__ void sum(const unsigned* in, unsigned* sums, unsigned* tickets, unsigned* out) {
  __shared__ unsigned partial[64];
  __shared__ bool is_last;
  const unsigned t = threadIdx.x;
  const unsigned total = block_sum(in[blockIdx.x * blockDim.x + t], partial);
  if (t == 0) {
    sums[blockIdx.x] = total;
    __threadfence();
    is_last = atomicAdd(tickets, 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
  const unsigned all = block_sum(t < gridDim.x ? sums[t] : 0, partial);
  if (t == 0) out[0] = all;
}

int main() {
  const Buffer<unsigned> in(512, Fill::random);
  const Buffer<unsigned> sums(8, Fill::poison);
  const Buffer<unsigned> tickets(1, Fill::zero);
  const Buffer<unsigned> out(1, Fill::poison);
  sum<<<8, 64>>>(in.data(), sums.data(), tickets.data(), out.data());
  return out.show();
}
