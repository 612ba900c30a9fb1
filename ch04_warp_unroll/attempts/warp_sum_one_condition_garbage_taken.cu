// rejected by: warp_sum_one_condition: result: n = 1, block = 32: out[0] is 0
// why: lane 1 writes what is in its slot: only slot 0 holds a sum of all

#include "../kernels.hpp"

__device__ float element(const float* in, unsigned i, unsigned n) { return i < n ? in[i] : 0.0f; }

extern "C" __global__ void warp_sum_one_condition(const float* in, float* out, unsigned n) {
  __shared__ float values[32];
  const unsigned lane = threadIdx.x;
  values[lane] = element(in, 32 * blockIdx.x + lane, n);
  __syncwarp();

  if (lane < 16) {
    for (unsigned stride = 16; stride > 0; stride /= 2) {
      const float sum = values[lane] + values[lane + stride];
      __syncwarp(0xffffu);
      values[lane] = sum;
      __syncwarp(0xffffu);
    }
  }

  if (lane == 1) out[blockIdx.x] = values[1];
}
