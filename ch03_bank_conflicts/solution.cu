// Chapter 3: 32 banks. README.md is the lesson; kernels.hpp says what each kernel must do.

#include "kernels.hpp"
#include "operators.hpp"

/// Combines the blockDim.x values of `partial` into partial[0]. All threads of the block call this, each
/// after it has stored its own partial[threadIdx.x]. Thread 0 can read the result right away.
template <class Operator>
__device__ void reduce_tree(float* partial) {
  // [tree]
  const unsigned tid = threadIdx.x;
  __syncthreads();  // or the tree could read a value before its owner has stored it
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) partial[tid] = Operator::combine(partial[tid], partial[tid + stride]);
    __syncthreads();  // or the next level could read a value before this level has stored it
  }
  // [/tree]
}

/// out[b] = the sum of the blockDim.x elements of `in` that belong to block b.
extern "C" __global__ void reduce_sequential(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  // [sequential]
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? in[i] : 0.0f;
  reduce_tree<Sum>(partial);
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
  // [/sequential]
}

/// out[b] = the sum of the 2 * blockDim.x elements of `in` that belong to block b.
extern "C" __global__ void reduce_first_add(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  // [first_add]
  const unsigned i = blockIdx.x * 2 * blockDim.x + threadIdx.x;
  float sum = i < n ? in[i] : 0.0f;
  if (i + blockDim.x < n) sum += in[i + blockDim.x];
  partial[threadIdx.x] = sum;
  // [/first_add]
  reduce_tree<Sum>(partial);
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

/// Each block of the next two kernels does this: it reduces the elements that it takes. `partial` is the
/// block's shared memory.
template <class Operator>
__device__ void reduce_any_grid(const float* in, float* out, unsigned n, float* partial) {
  // [any_grid]
  float mine = Operator::identity();
  const unsigned threads = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
    mine = Operator::combine(mine, in[i]);
  }
  partial[threadIdx.x] = mine;
  reduce_tree<Operator>(partial);
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
  // [/any_grid]
}

/// out[b] = the sum of the elements that block b took.
extern "C" __global__ void reduce_grid_stride(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block
  reduce_any_grid<Sum>(in, out, n, partial);
}

/// out[b] = the largest of the elements that block b took.
extern "C" __global__ void reduce_max(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block
  reduce_any_grid<Max>(in, out, n, partial);
}

/// out[c] = the sum of the 32 floats in[32 * c] to in[32 * c + 31].
extern "C" __global__ void column_sums(const float* in, float* out, unsigned columns) {
  __shared__ float tile[32][33];  // a row for each column; the 33rd word moves the next row one bank on
  const unsigned lane = threadIdx.x;
  const unsigned first = 32 * blockIdx.x;

  for (unsigned c = 0; c < 32; ++c) {
    tile[c][lane] = first + c < columns ? in[32 * (first + c) + lane] : 0.0f;
  }
  __syncthreads();  // or a lane could read what another has not stored yet

  float sum = 0.0f;
  for (unsigned r = 0; r < 32; ++r) sum += tile[lane][r];
  if (first + lane < columns) out[first + lane] = sum;
}
