// rejected by: add_sums: result: n =
// why: the first block has none before it, and the others get one sum too few

#include "../kernels.hpp"

#include "first_two_launches.cuh"

extern "C" __global__ void add_sums(int* out, const int* sums, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += blockIdx.x > 0 ? sums[blockIdx.x - 1] : 0;
}
