// accepted: the upper half of the threads adds and the last one writes; two elements per step; a padding of
// 5 words, which is odd

#include "../kernels.hpp"
#include "../operators.hpp"

/// The result ends up in the last thread.
template <class Operator>
__device__ void reduce_block(float value, float* out) {
  extern __shared__ float partial[];
  float* const mine = partial + threadIdx.x;
  const unsigned threads_above = blockDim.x - 1 - threadIdx.x;
  *mine = value;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threads_above < stride) *mine = Operator::combine(*mine, *(mine - stride));
    __syncthreads();
  }
  if (threads_above == 0) out[blockIdx.x] = *mine;
}

/// Of two neighbouring elements a block apart, as far as they exist, again and again.
template <class Operator>
__device__ float walk(const float* in, unsigned n) {
  float value = Operator::identity();
  for (unsigned i = blockIdx.x * 2 * blockDim.x + threadIdx.x; i < n; i += 2 * blockDim.x * gridDim.x) {
    value = Operator::combine(value, in[i]);
    if (i + blockDim.x < n) value = Operator::combine(value, in[i + blockDim.x]);
  }
  return value;
}

extern "C" __global__ void reduce_sequential(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  reduce_block<Sum>(i < n ? in[i] : 0.0f, out);
}

extern "C" __global__ void reduce_first_add(const float* in, float* out, unsigned n) {
  const unsigned left = blockIdx.x * 2 * blockDim.x + threadIdx.x;
  const unsigned right = left + blockDim.x;
  reduce_block<Sum>((left < n ? in[left] : 0.0f) + (right < n ? in[right] : 0.0f), out);
}

extern "C" __global__ void reduce_grid_stride(const float* in, float* out, unsigned n) {
  reduce_block<Sum>(walk<Sum>(in, n), out);
}

extern "C" __global__ void reduce_max(const float* in, float* out, unsigned n) {
  reduce_block<Max>(walk<Max>(in, n), out);
}

extern "C" __global__ void column_sums(const float* in, float* out, unsigned columns) {
  __shared__ float tile[32 * 37];
  const unsigned lane = threadIdx.x;
  const unsigned first = 32 * blockIdx.x;
  const unsigned here = min(32u, columns - min(columns, first));  // columns of this block

  for (unsigned c = 0; c < here; ++c) tile[37 * c + lane] = in[32 * (first + c) + lane];
  __syncthreads();

  if (lane >= here) return;
  float sum = tile[37 * lane];
  for (unsigned r = 1; r < 32; ++r) sum += tile[37 * lane + r];
  out[first + lane] = sum;
}
