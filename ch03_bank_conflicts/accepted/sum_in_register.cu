// accepted: each thread keeps its sum in a register and stores it for its partner; loops over pointers; each
// lane starts its column in a different row

#include "../kernels.hpp"
#include "../operators.hpp"

template <class Operator>
__device__ void reduce_block(float mine, float* out) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  partial[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned stride = blockDim.x >> 1; stride != 0; stride >>= 1) {
    if (threadIdx.x < stride) {
      mine = Operator::combine(mine, partial[threadIdx.x + stride]);
      partial[threadIdx.x] = mine;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = mine;
}

extern "C" __global__ void reduce_sequential(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float mine = 0.0f;
  if (i < n) mine = in[i];
  reduce_block<Sum>(mine, out);
}

extern "C" __global__ void reduce_first_add(const float* in, float* out, unsigned n) {
  float mine = 0.0f;
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned i = (2 * blockIdx.x + half) * blockDim.x + threadIdx.x;
    if (i < n) mine += in[i];
  }
  reduce_block<Sum>(mine, out);
}

extern "C" __global__ void reduce_grid_stride(const float* in, float* out, unsigned n) {
  const float *next = in + blockIdx.x * blockDim.x + threadIdx.x, *const end = in + n;
  float mine = 0.0f;
  for (; next < end; next += gridDim.x * blockDim.x) mine += *next;
  reduce_block<Sum>(mine, out);
}

extern "C" __global__ void reduce_max(const float* in, float* out, unsigned n) {
  const float *next = in + blockIdx.x * blockDim.x + threadIdx.x, *const end = in + n;
  float mine = -INFINITY;
  for (; next < end; next += gridDim.x * blockDim.x) {
    if (*next > mine) mine = *next;
  }
  reduce_block<Max>(mine, out);
}

extern "C" __global__ void column_sums(const float* in, float* out, unsigned columns) {
  __shared__ float tile[32 * 32];
  const unsigned lane = threadIdx.x;
  const unsigned first = 32 * blockIdx.x;

  for (unsigned c = 0; c < 32; ++c) {
    tile[32 * c + lane] = first + c < columns ? in[32 * (first + c) + lane] : 0.0f;
  }
  __syncthreads();

  float sum = 0.0f;
  for (unsigned r = 0; r < 32; ++r) sum += tile[32 * lane + (r + lane) % 32];
  if (first + lane < columns) out[first + lane] = sum;
}
