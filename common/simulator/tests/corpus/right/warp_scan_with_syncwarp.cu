// finding: none
// why: read, __syncwarp, write, __syncwarp: no lane is assumed to be in step
// launch: kernel=scan_warp grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison
#include "../program.cuh"

extern "C" __global__ void scan_warp(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[64];
  const unsigned t = threadIdx.x, lane = t % 32;
  s[t] = in[t];
  __syncwarp();
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned other = lane >= d ? s[t - d] : 0;
    __syncwarp();
    s[t] += other;
    __syncwarp();
  }
  out[t] = s[t];
}

int main() {
  const Buffer<unsigned> in(64, Fill::random);
  const Buffer<unsigned> out(64, Fill::poison);
  scan_warp<<<1, 64>>>(in.data(), out.data());
  return out.show();
}
