// finding: none
// why: CUB's block reduction, its storage used twice with a barrier between
// launch: kernel=sum_and_max grid=2 block=128 args=in:u32[256]:random,out:u32[4]:poison
#include <cub/block/block_reduce.cuh>

#include "../program.cuh"

extern "C" __global__ void sum_and_max(const unsigned* in, unsigned* out) {
  using Reduce = cub::BlockReduce<unsigned, 128>;
  __shared__ typename Reduce::TempStorage storage;
  const unsigned value = in[blockIdx.x * blockDim.x + threadIdx.x];
  const unsigned sum = Reduce(storage).Sum(value);
  __syncthreads();
  const unsigned largest =
      Reduce(storage).Reduce(value, [](unsigned a, unsigned b) { return a < b ? b : a; });
  if (threadIdx.x == 0) {
    out[2 * blockIdx.x] = sum;
    out[2 * blockIdx.x + 1] = largest;
  }
}

int main() {
  const Buffer<unsigned> in(256, Fill::random);
  const Buffer<unsigned> out(4, Fill::poison);
  sum_and_max<<<2, 128>>>(in.data(), out.data());
  return out.show();
}
