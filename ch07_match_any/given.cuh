#pragma once
// Chapter 7: the kernels that yours are compared with. There is nothing to write here.

#include "kernels.hpp"

/// peers[i] = the mask that __match_any_sync gives thread i.
extern "C" __global__ void match_any_intrinsic(const unsigned long long* keys, const unsigned* active,
                                               unsigned* peers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = active[i / 32];
  if (mask >> threadIdx.x % 32 & 1) peers[i] = __match_any_sync(mask, keys[i]);
}

/// histogram[k] += the number of keys that equal k; with one atomic operation per key.
extern "C" __global__ void histogram_plain(const unsigned* keys, unsigned* histogram, unsigned n) {
  // [plain]
  const unsigned threads = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
    atomicAdd(&histogram[keys[i]], 1u);
  // [/plain]
}
