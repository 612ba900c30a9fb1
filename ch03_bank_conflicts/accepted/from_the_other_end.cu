// accepted: the upper half of the threads adds and the last one writes; two elements a step; an odd padding
// of 5

#include "../kernels.hpp"

extern "C" __global__ void reduce_sequential(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  partial[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid >= blockDim.x - stride) partial[tid] += partial[tid - stride];
    __syncthreads();
  }

  if (tid == blockDim.x - 1) out[blockIdx.x] = partial[tid];
}

extern "C" __global__ void reduce_first_add(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned left = blockIdx.x * 2 * blockDim.x + tid;
  const unsigned right = left + blockDim.x;
  partial[tid] = (left < n ? in[left] : 0.0f) + (right < n ? in[right] : 0.0f);
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid >= blockDim.x - stride) partial[tid] += partial[tid - stride];
    __syncthreads();
  }

  if (tid == blockDim.x - 1) out[blockIdx.x] = partial[tid];
}

extern "C" __global__ void reduce_grid_stride(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned step = 2 * blockDim.x * gridDim.x;
  float sum = 0.0f;
  for (unsigned i = blockIdx.x * 2 * blockDim.x + tid; i < n; i += step) {
    sum += in[i];
    if (i + blockDim.x < n) sum += in[i + blockDim.x];
  }
  partial[tid] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}

extern "C" __global__ void reduce_max(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned step = 2 * blockDim.x * gridDim.x;
  float largest = -__int_as_float(0x7f800000);
  for (unsigned i = blockIdx.x * 2 * blockDim.x + tid; i < n; i += step) {
    largest = fmaxf(largest, in[i]);
    if (i + blockDim.x < n) largest = fmaxf(largest, in[i + blockDim.x]);
  }
  partial[tid] = largest;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) partial[tid] = fmaxf(partial[tid], partial[tid + stride]);
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
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
