// rejected by: add_sums: result: n =
// why: the sum of element i for that of block blockIdx.x

#include "../kernels.hpp"

#include "first_two_launches.cuh"

extern "C" __global__ void add_sums(int* out, const int* sums, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += sums[i / 1024];
}
