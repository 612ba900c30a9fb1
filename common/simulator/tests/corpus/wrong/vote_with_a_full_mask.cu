// finding: sync at 11
// also: sync at 12
// why: only lanes with an odd key vote, the mask names all
// launch: kernel=count grid=1 block=32 args=in:u32[32]:iota,out:u32[32]:poison
#include "../program.cuh"

extern "C" __global__ void count(const unsigned* in, unsigned* out) {
  const unsigned lane = threadIdx.x;
  const unsigned key = in[lane];
  unsigned large = 0;
  if (key % 2 == 1) large = __popc(__ballot_sync(0xffffffffu, key > 9));
  __syncwarp();
  out[lane] = large;
}

int main() {
  const Buffer<unsigned> in(32, Fill::iota);
  const Buffer<unsigned> out(32, Fill::poison);
  count<<<1, 32>>>(in.data(), out.data());
  return out.show();
}
