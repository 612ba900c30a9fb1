// finding: uninitialised at 13
// why: the padded scan adds what lies in front of the warp's data
// launch: kernel=scan_warp grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison
#include "../program.cuh"

extern "C" __global__ void scan_warp(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[2 * 49];
  const unsigned t = threadIdx.x, slot = 49 * (t / 32) + 16 + t % 32;
  unsigned value = in[t];
  for (unsigned d = 1; d < 32; d *= 2) {
    s[slot] = value;
    __syncwarp();
    value += s[slot - d];
    __syncwarp();
  }
  out[t] = value;
}

int main() {
  const Buffer<unsigned> in(64, Fill::random);
  const Buffer<unsigned> out(64, Fill::poison);
  scan_warp<<<1, 64>>>(in.data(), out.data());
  return out.show();
}
