// finding: race at 19 or 16
// why: the last block may see the ticket before it sees the sums
// launch: kernel=sum grid=8 block=64 args=in:f32[512]:random,sums:f32[8]:poison,tickets:u32[1]:zero,out:f32[1]:poison
#include "../program.cuh"

extern "C" __global__ void sum(const float* in, float* sums, unsigned* tickets, float* out) {
  __shared__ float partial[64];
  const unsigned t = threadIdx.x;
  partial[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t != 0) return;
  sums[blockIdx.x] = partial[0];
  if (atomicAdd(tickets, 1) != gridDim.x - 1) return;
  float total = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) total += sums[b];
  out[0] = total;
}

int main() {
  const Buffer<float> in(512, Fill::random);
  const Buffer<float> sums(8, Fill::poison);
  const Buffer<unsigned> tickets(1, Fill::zero);
  const Buffer<float> out(1, Fill::poison);
  sum<<<8, 64>>>(in.data(), sums.data(), tickets.data(), out.data());
  return out.show();
}
