// finding: none
// why: CUB's warp reduction, one temporary storage a warp
// launch: kernel=sums grid=2 block=128 args=in:u32[256]:random,out:u32[8]:poison
#include <cub/warp/warp_reduce.cuh>

#include "../program.cuh"

extern "C" __global__ void sums(const unsigned* in, unsigned* out) {
  using Reduce = cub::WarpReduce<unsigned>;
  __shared__ typename Reduce::TempStorage storage[4];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  const unsigned sum = Reduce(storage[t / 32]).Sum(in[i]);
  if (t % 32 == 0) out[i / 32] = sum;
}

int main() {
  const Buffer<unsigned> in(256, Fill::random);
  const Buffer<unsigned> out(8, Fill::poison);
  sums<<<2, 128>>>(in.data(), out.data());
  return out.show();
}
