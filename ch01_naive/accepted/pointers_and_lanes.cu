// accepted: pointers instead of indices, lane and warp instead of the thread, a function for the addition

#include "../kernels.hpp"

__device__ void add_pair(float* left, unsigned distance) { *left = *left + *(left + distance); }

extern "C" __global__ void reduce_naive(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];

  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const float* mine = in + blockIdx.x * blockDim.x + 32 * warp + lane;
  float* slot = partial + 32 * warp + lane;
  *slot = 0.0f;
  if (mine < in + n) *slot = *mine;
  __syncthreads();

  for (unsigned level = 0; (1u << level) < blockDim.x; ++level) {
    const unsigned pair = 2u << level;
    const bool is_left = (32 * warp + lane) % pair == 0;
    if (is_left) add_pair(slot, pair / 2);
    __syncthreads();
  }

  if (warp == 0 && lane == 0) *(out + blockIdx.x) = *partial;
}

extern "C" __global__ void sum_in_place(float* values) {
  float* mine = values + threadIdx.x + threadIdx.x;
  for (unsigned level = 0; (1u << level) <= blockDim.x; ++level) {
    const unsigned distance = 1u << level;
    if ((mine - values) % (2 * distance) == 0) add_pair(mine, distance);
    __syncthreads();
  }
}
