// finding: race at 23 or 21
// why: warps read the scanned totals before the first warp has written them
// launch: kernel=scan_block grid=1 block=256 args=in:u32[256]:random,out:u32[256]:poison
#include "../program.cuh"

__device__ unsigned scan_warp(unsigned value) {
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned other = __shfl_up_sync(0xffffffffu, value, d);
    if (threadIdx.x % 32 >= d) value += other;
  }
  return value;
}
extern "C" __global__ void scan_block(const unsigned* in, unsigned* out) {
  __shared__ unsigned totals[8];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  const unsigned value = scan_warp(in[t]);
  if (lane == 31) totals[warp] = value;
  __syncthreads();
  if (warp == 0) {
    const unsigned scanned = scan_warp(lane < 8 ? totals[lane] : 0);
    if (lane < 8) totals[lane] = scanned;
  }
  out[t] = value + (warp > 0 ? totals[warp - 1] : 0);
}

int main() {
  const Buffer<unsigned> in(256, Fill::random);
  const Buffer<unsigned> out(256, Fill::poison);
  scan_block<<<1, 256>>>(in.data(), out.data());
  return out.show();
}
