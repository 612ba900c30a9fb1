// finding: race at 12
// why: lane t - d adds to its slot while lane t reads it
// launch: kernel=scan_warp grid=1 block=32 args=in:u32[32]:random,out:u32[32]:poison
#include "../program.cuh"

extern "C" __global__ void scan_warp(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[32];
  const unsigned lane = threadIdx.x;
  s[lane] = in[lane];
  __syncwarp();
  for (unsigned d = 1; d < 32; d *= 2) {
    if (lane >= d) s[lane] += s[lane - d];
    __syncwarp();
  }
  out[lane] = s[lane];
}

int main() {
  const Buffer<unsigned> in(32, Fill::random);
  const Buffer<unsigned> out(32, Fill::poison);
  scan_warp<<<1, 32>>>(in.data(), out.data());
  return out.show();
}
