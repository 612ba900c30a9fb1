// rejected by: reduce_argmax: result: two equal values: the largest is 1 at index 32, found was 1 at index 128
// why: ties go by index in a thread and in a warp, but between warps to the lower warp, whose index may be higher

#include "../kernels.hpp"
#include "../operators.hpp"

__device__ Best better(Best a, Best b) {
  return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
}

extern "C" __global__ void reduce_argmax(const float* in, float* value, unsigned* index, unsigned n) {
  __shared__ float values[32];
  __shared__ unsigned indices[32];
  Best best = no_best();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    best = better(best, Best{in[i], i});
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const float other = __shfl_down_sync(0xffffffffu, best.value, distance);
    const unsigned at = __shfl_down_sync(0xffffffffu, best.index, distance);
    best = better(best, Best{other, at});
  }
  if (threadIdx.x % 32 == 0) {
    values[threadIdx.x / 32] = best.value;
    indices[threadIdx.x / 32] = best.index;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned warp = 1; warp < blockDim.x / 32; ++warp)
    if (values[warp] > best.value) best = Best{values[warp], indices[warp]};
  value[blockIdx.x] = best.value;
  index[blockIdx.x] = best.index;
}
