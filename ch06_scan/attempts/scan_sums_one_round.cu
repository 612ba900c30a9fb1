// rejected by: scan_sums: result: block = 32
// why: takes as many sums as the block has threads, and leaves the rest

#include "../kernels.hpp"

__device__ int scan(int value) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const int below = __shfl_up_sync(0xffffffffu, value, distance);
    if (lane >= distance) value += below;
  }
  return value;
}

extern "C" __global__ void scan_sums(int* sums, unsigned count) {
  __shared__ int warp_totals[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  int ahead = 0;
  for (unsigned begin = 0; begin < blockDim.x; begin += blockDim.x) {
    const unsigned i = begin + threadIdx.x;
    const int value = i < count ? sums[i] : 0;
    const int scanned = scan(value);
    if (lane == 31) warp_totals[warp] = scanned;
    __syncthreads();
    if (warp == 0) {
      const int total = scan(lane < warps ? warp_totals[lane] : 0);
      if (lane < warps) warp_totals[lane] = total;
    }
    __syncthreads();
    if (i < count) sums[i] = ahead + (warp > 0 ? warp_totals[warp - 1] : 0) + scanned - value;
    ahead += warp_totals[warps - 1];
    __syncthreads();
  }
}
