// finding: none
// why: a block of 100 threads: the last warp names only the lanes that exist
// launch: kernel=sum grid=2 block=100 args=in:u32[200]:random,out:u32[2]:poison
#include "../program.cuh"

extern "C" __global__ void sum(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[4];
  const unsigned t = threadIdx.x, lane = t % 32;
  const unsigned here = min(32u, blockDim.x - t / 32 * 32);
  const unsigned mask = here == 32 ? 0xffffffffu : (1u << here) - 1;
  unsigned value = in[blockIdx.x * blockDim.x + t];
  for (unsigned d = here / 2; d > 0; d /= 2) value += __shfl_xor_sync(mask, value, d);
  if (lane == 0) sums[t / 32] = value;
  __syncthreads();
  if (t == 0) out[blockIdx.x] = sums[0] + sums[1] + sums[2] + sums[3];
}

int main() {
  const Buffer<unsigned> in(200, Fill::random);
  const Buffer<unsigned> out(2, Fill::poison);
  sum<<<2, 100>>>(in.data(), out.data());
  return out.show();
}
