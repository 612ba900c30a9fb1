#pragma once
// The first two steps to the roof, with eight loads on their way where there are enough elements.

#include "../kernels.hpp"
#include "parts.cuh"

__device__ inline float sum_of(float4 v) { return v.x + v.y + v.z + v.w; }

/// This thread's share of the sum of `quads` float4: eight at a time, each a block from the last.
__device__ inline float share_of(const float4* in, unsigned quads) {
  constexpr unsigned threads = warpwise::ch05::roof_threads, piece = 8 * threads;
  float share = 0.0f;
  for (unsigned begin = blockIdx.x * piece; begin < quads; begin += gridDim.x * piece) {
    if (begin + piece <= quads) {
      float4 v[8];
#pragma unroll
      for (unsigned k = 0; k < 8; ++k) v[k] = in[begin + k * threads + threadIdx.x];
#pragma unroll
      for (unsigned k = 0; k < 8; ++k) share += sum_of(v[k]);
    } else {
      for (unsigned i = begin + threadIdx.x; i < quads; i += threads) share += sum_of(in[i]);
    }
  }
  return share;
}

extern "C" __global__ void sum_tiles(const float* in, float* out, unsigned tiles) {
  const unsigned quads = tiles * warpwise::ch05::roof_threads * warpwise::ch05::roof_loads;
  out[blockIdx.x * blockDim.x + threadIdx.x] = share_of(reinterpret_cast<const float4*>(in), quads);
}

extern "C" __global__ void sum_wide(const float* in, float* out, unsigned n) {
  const Parts parts = parts_of(in, n);
  float share = share_of(parts.in4, parts.quads);
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) {  // one thread takes both ends
    for (unsigned i = 0; i < parts.head; ++i) share += in[i];
    for (unsigned i = parts.tail; i < n; ++i) share += in[i];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = share;
}
