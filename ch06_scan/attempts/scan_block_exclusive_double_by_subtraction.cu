// rejected by: scan_block_exclusive_double: result: doubles that round
// why: the inclusive sum less the element: a double has more room than a float, but rounds all the same

#include "../kernels.hpp"

using T = double;

__device__ T scan(T value) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const T below = __shfl_up_sync(0xffffffffu, value, distance);
    if (lane >= distance) value += below;
  }
  return value;
}

extern "C" __global__ void scan_block_exclusive_double(const T* in, T* out, T* sums, unsigned n) {
  __shared__ T warp_totals[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const T element = i < n ? in[i] : T{0};
  const T scanned = scan(element);
  T sum = scanned - element;
  if (lane == 31) warp_totals[warp] = scanned;
  __syncthreads();
  if (warp == 0) {
    const T total = scan(lane < warps ? warp_totals[lane] : T{0});
    if (lane < warps) warp_totals[lane] = total;
  }
  __syncthreads();
  if (warp > 0) sum += warp_totals[warp - 1];
  if (i < n) out[i] = sum;
  if (sums != nullptr && threadIdx.x == 0) sums[blockIdx.x] = warp_totals[warps - 1];
}
