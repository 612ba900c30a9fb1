// accepted: each thread keeps its sum in a register and stores it for its partner; loops over pointers; each
// lane starts its column at another row

#include "../kernels.hpp"

extern "C" __global__ void reduce_sequential(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  float mine = 0.0f;
  if (i < n) mine = in[i];
  partial[tid] = mine;
  __syncthreads();

  for (unsigned stride = blockDim.x >> 1; stride != 0; stride >>= 1) {
    if (tid < stride) {
      mine += partial[tid + stride];
      partial[tid] = mine;
    }
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = mine;
}

extern "C" __global__ void reduce_first_add(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  float mine = 0.0f;
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned i = (2 * blockIdx.x + half) * blockDim.x + tid;
    if (i < n) mine += in[i];
  }
  partial[tid] = mine;
  __syncthreads();

  for (unsigned stride = blockDim.x >> 1; stride != 0; stride >>= 1) {
    if (tid < stride) {
      mine += partial[tid + stride];
      partial[tid] = mine;
    }
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = mine;
}

extern "C" __global__ void reduce_grid_stride(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const float* const end = in + n;
  float mine = 0.0f;
  for (const float* next = in + blockIdx.x * blockDim.x + tid; next < end; next += gridDim.x * blockDim.x) {
    mine += *next;
  }
  partial[tid] = mine;
  __syncthreads();

  for (unsigned stride = blockDim.x >> 1; stride != 0; stride >>= 1) {
    if (tid < stride) {
      mine += partial[tid + stride];
      partial[tid] = mine;
    }
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = mine;
}

extern "C" __global__ void reduce_max(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const float* const end = in + n;
  float mine = -INFINITY;
  for (const float* next = in + blockIdx.x * blockDim.x + tid; next < end; next += gridDim.x * blockDim.x) {
    if (*next > mine) mine = *next;
  }
  partial[tid] = mine;
  __syncthreads();

  for (unsigned stride = blockDim.x >> 1; stride != 0; stride >>= 1) {
    if (tid < stride) {
      mine = max(mine, partial[tid + stride]);
      partial[tid] = mine;
    }
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = mine;
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
