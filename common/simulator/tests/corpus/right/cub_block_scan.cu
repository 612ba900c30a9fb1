// finding: none
// why: CUB's block scan over several elements a thread
// launch: kernel=scan grid=1 block=128 args=in:u32[512]:random,out:u32[512]:poison
#include <cub/block/block_scan.cuh>

#include "../program.cuh"

extern "C" __global__ void scan(const unsigned* in, unsigned* out) {
  using Scan = cub::BlockScan<unsigned, 128>;
  __shared__ typename Scan::TempStorage storage;
  unsigned items[4];
  for (unsigned k = 0; k < 4; ++k) items[k] = in[4 * threadIdx.x + k];
  Scan(storage).InclusiveSum(items, items);
  for (unsigned k = 0; k < 4; ++k) out[4 * threadIdx.x + k] = items[k];
}

int main() {
  const Buffer<unsigned> in(512, Fill::random);
  const Buffer<unsigned> out(512, Fill::poison);
  scan<<<1, 128>>>(in.data(), out.data());
  return out.show();
}
