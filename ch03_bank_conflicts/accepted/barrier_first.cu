// accepted: the barrier comes first in each level; each block takes a segment of neighbours (fig. 10.15); a
// swizzled tile

#include "../kernels.hpp"
#include "../operators.hpp"

template <class Operator>
__device__ void reduce_block(float value, float* out) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  partial[tid] = value;
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (tid < stride) partial[tid] = Operator::combine(partial[tid], partial[tid + stride]);
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}

extern "C" __global__ void reduce_sequential(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  reduce_block<Sum>(i < n ? in[i] : 0.0f, out);
}

extern "C" __global__ void reduce_first_add(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * 2 * blockDim.x + threadIdx.x;
  float sum = i < n ? in[i] : 0.0f;
  if (i + blockDim.x < n) sum += in[i + blockDim.x];
  reduce_block<Sum>(sum, out);
}

/// Where block b's segment begins: a whole number of steps of the block, as many for each block but the last.
__device__ unsigned segment_begin(unsigned block, unsigned n) {
  const unsigned steps = (n + blockDim.x - 1) / blockDim.x;
  const unsigned steps_a_block = (steps + gridDim.x - 1) / gridDim.x;
  return min(n, block * steps_a_block * blockDim.x);
}

extern "C" __global__ void reduce_grid_stride(const float* in, float* out, unsigned n) {
  const unsigned end = segment_begin(blockIdx.x + 1, n);
  float sum = 0.0f;
  for (unsigned i = segment_begin(blockIdx.x, n) + threadIdx.x; i < end; i += blockDim.x) sum += in[i];
  reduce_block<Sum>(sum, out);
}

extern "C" __global__ void reduce_max(const float* in, float* out, unsigned n) {
  const unsigned end = segment_begin(blockIdx.x + 1, n);
  float largest = __int_as_float(0xff800000);
  for (unsigned i = segment_begin(blockIdx.x, n) + threadIdx.x; i < end; i += blockDim.x) {
    largest = fmaxf(largest, in[i]);
  }
  reduce_block<Max>(largest, out);
}

extern "C" __global__ void column_sums(const float* in, float* out, unsigned columns) {
  __shared__ float tile[32][32];  // element r of line c stands in place r ^ c
  const unsigned lane = threadIdx.x;
  const unsigned first = 32 * blockIdx.x;

  for (unsigned c = 0; c < 32; ++c) {
    tile[c][lane ^ c] = first + c < columns ? in[32 * (first + c) + lane] : 0.0f;
  }
  __syncthreads();

  float sum = 0.0f;
  for (unsigned r = 0; r < 32; ++r) sum += tile[lane][r ^ lane];
  if (first + lane < columns) out[first + lane] = sum;
}
