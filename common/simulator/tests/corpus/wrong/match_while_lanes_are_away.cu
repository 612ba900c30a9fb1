// finding: sync at 10
// also: sync at 11
// why: the tail's lanes do not come to the match that names them
// launch: kernel=same_key grid=1 block=64 args=in:u32[50]:iota,out:u32[64]:poison,n:u32:50
#include "../program.cuh"

extern "C" __global__ void same_key(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned i = threadIdx.x;
  unsigned peers = 0;
  if (i < n) peers = __match_any_sync(0xffffffffu, in[i] % 4);
  __syncwarp();
  out[i] = peers;
}

int main() {
  const Buffer<unsigned> in(50, Fill::iota);
  const Buffer<unsigned> out(64, Fill::poison);
  same_key<<<1, 64>>>(in.data(), out.data(), unsigned(50));
  return out.show();
}
