// rejected by: reduce_argmax: result: n = 31, block = 32, grid = 1, distinct values: block 0 says index 0
// why: the value travels up the tree and its index stays behind

#include "../kernels.hpp"
#include "../operators.hpp"

__device__ Best better(Best a, Best b) {
  return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
}

__device__ Best warp_best(Best best) {
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const float value = __shfl_down_sync(0xffffffffu, best.value, distance);
    const unsigned index = best.index;
    best = better(best, Best{value, index});
  }
  return best;
}

extern "C" __global__ void reduce_argmax(const float* in, float* value, unsigned* index, unsigned n) {
  __shared__ float values[32];
  __shared__ unsigned indices[32];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  Best best = no_best();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
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
