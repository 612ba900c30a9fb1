// rejected by: reduce_unrolled_256: result: n = 255, block = 128
// why: written out by hand, and the level with 64 additions is forgotten

#include "../kernels.hpp"

extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of a block

__device__ float element(const float* in, unsigned i, unsigned n) { return i < n ? in[i] : 0.0f; }

__device__ float two_elements(const float* in, unsigned n, unsigned block) {
  const unsigned i = 2 * block * blockIdx.x + threadIdx.x;
  return element(in, i, n) + element(in, i + block, n);
}

__device__ void sum_of_32(float* values, unsigned lane) {
  if (lane < 16) {
#pragma unroll
    for (unsigned stride = 16; stride > 0; stride /= 2) {
      const float sum = values[lane] + values[lane + stride];
      __syncwarp(0xffffu);
      values[lane] = sum;
      __syncwarp(0xffffu);
    }
  }
}

template <unsigned block>
__device__ void reduce_unrolled(const float* in, float* out, unsigned n) {
  const unsigned tid = threadIdx.x;
  partial[tid] = two_elements(in, n, block);
  __syncthreads();

  if constexpr (block >= 1024) {
    if (tid < 512) partial[tid] += partial[tid + 512];
    __syncthreads();
  }
  if constexpr (block >= 512) {
    if (tid < 256) partial[tid] += partial[tid + 256];
    __syncthreads();
  }
  if constexpr (block >= 256) {
    if (tid < 128) partial[tid] += partial[tid + 128];
    __syncthreads();
  }

  if (tid < 32) {
    if constexpr (block > 32) {
      partial[tid] += partial[tid + 32];
      __syncwarp();
    }
    sum_of_32(partial, tid);
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}

extern "C" __global__ void reduce_unrolled_32(const float* in, float* out, unsigned n) {
  reduce_unrolled<32>(in, out, n);
}

extern "C" __global__ void reduce_unrolled_64(const float* in, float* out, unsigned n) {
  reduce_unrolled<64>(in, out, n);
}

extern "C" __global__ void reduce_unrolled_128(const float* in, float* out, unsigned n) {
  reduce_unrolled<128>(in, out, n);
}

extern "C" __global__ void reduce_unrolled_256(const float* in, float* out, unsigned n) {
  reduce_unrolled<256>(in, out, n);
}

extern "C" __global__ void reduce_unrolled_512(const float* in, float* out, unsigned n) {
  reduce_unrolled<512>(in, out, n);
}

extern "C" __global__ void reduce_unrolled_1024(const float* in, float* out, unsigned n) {
  reduce_unrolled<1024>(in, out, n);
}
