// rejected by: reduce_argmax: result: n = 1, block = 128, grid = 1, all NaN
// why: the comparison with NaN is false, so a thread whose first element is NaN keeps it

#include "../kernels.hpp"
#include "../operators.hpp"

__device__ Best better(Best a, Best b) {
  return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
}

__device__ Best warp_best(Best best) {
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const float value = __shfl_down_sync(0xffffffffu, best.value, distance);
    const unsigned index = __shfl_down_sync(0xffffffffu, best.index, distance);
    best = better(best, Best{value, index});
  }
  return best;
}

extern "C" __global__ void reduce_argmax(const float* in, float* value, unsigned* index, unsigned n) {
  __shared__ float values[32];
  __shared__ unsigned indices[32];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  Best best = first < n ? Best{in[first], first} : no_best();
  for (unsigned i = first + gridDim.x * blockDim.x; i < n; i += gridDim.x * blockDim.x)
    best = better(best, Best{in[i], i});
  best = warp_best(best);
  if (lane == 0) {
    values[warp] = best.value;
    indices[warp] = best.index;
  }
  __syncthreads();
  if (warp != 0) return;
  best = warp_best(lane < blockDim.x / 32 ? Best{values[lane], indices[lane]} : no_best());
  if (lane == 0) {
    value[blockIdx.x] = best.value;
    index[blockIdx.x] = best.index;
  }
}
