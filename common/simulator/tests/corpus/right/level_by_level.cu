// finding: none
// why: two launches between two buffers: the second reads what the first wrote
// launch: kernel=pair_sums grid=2 block=128 args=in:u32[512]:random,a:u32[256]:poison
// launch: kernel=pair_sums grid=1 block=128 args=a,b:u32[128]:poison
#include "../program.cuh"

extern "C" __global__ void pair_sums(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[2 * i] + in[2 * i + 1];
}

int main() {
  const Buffer<unsigned> in(512, Fill::random);
  const Buffer<unsigned> a(256, Fill::poison);
  pair_sums<<<2, 128>>>(in.data(), a.data());
  const Buffer<unsigned> b(128, Fill::poison);
  pair_sums<<<1, 128>>>(a.data(), b.data());
  return b.show();
}
