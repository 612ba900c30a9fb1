// rejected by: add_sums: safety: out-of-bounds at 10
// why: threads past the end have no element

#include "../kernels.hpp"

#include "first_two_launches.cuh"

extern "C" __global__ void add_sums(int* out, const int* sums, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] += sums[blockIdx.x];
}
