// rejected by: reduce_unrolled_256: safety: race at 32
// why: template or not: nothing keeps the lanes in step

#include "../kernels.hpp"

extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of a block

__device__ float element(const float* in, unsigned i, unsigned n) { return i < n ? in[i] : 0.0f; }

__device__ float two_elements(const float* in, unsigned n, unsigned block) {
  const unsigned i = 2 * block * blockIdx.x + threadIdx.x;
  return element(in, i, n) + element(in, i + block, n);
}

template <unsigned block>
__device__ void reduce_unrolled(const float* in, float* out, unsigned n) {
  const unsigned tid = threadIdx.x;
  partial[tid] = two_elements(in, n, block);
  __syncthreads();

#pragma unroll
  for (unsigned stride = block / 2; stride > 32; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();
  }

  if (tid < 32) {
    volatile float* tail = partial;
    if constexpr (block > 32) tail[tid] += tail[tid + 32];
    if (tid < 16) {
      tail[tid] += tail[tid + 16];
      tail[tid] += tail[tid + 8];
      tail[tid] += tail[tid + 4];
      tail[tid] += tail[tid + 2];
      tail[tid] += tail[tid + 1];
    }
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
