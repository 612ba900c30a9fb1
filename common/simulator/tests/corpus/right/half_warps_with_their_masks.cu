// finding: none
// why: each half of a warp shuffles in its own branch with its own mask
// launch: kernel=halves grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison
#include "../program.cuh"

extern "C" __global__ void halves(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, lane = t % 32;
  unsigned value = in[t];
  if (lane < 16) {
    for (unsigned d = 8; d > 0; d /= 2) value += __shfl_xor_sync(0x0000ffffu, value, d, 16);
  } else {
    for (unsigned d = 8; d > 0; d /= 2) value = max(value, __shfl_xor_sync(0xffff0000u, value, d, 16));
  }
  out[t] = value;
}

int main() {
  const Buffer<unsigned> in(64, Fill::random);
  const Buffer<unsigned> out(64, Fill::poison);
  halves<<<1, 64>>>(in.data(), out.data());
  return out.show();
}
