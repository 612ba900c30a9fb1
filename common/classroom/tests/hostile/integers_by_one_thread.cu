// hostile: one thread adds all, as integers, which a count of float additions does not see
// earns: 3
#include "kernels.hpp"
extern "C" __global__ void reduce_naive(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = i < n ? in[i] : 0.0f;
  partial[threadIdx.x] = x;
  const bool is_whole = __syncthreads_and(x == truncf(x) && fabsf(x) < 0x1p30f);
  if (threadIdx.x != 0) return;
  float result = partial[0];
  long long sum = 0;
  for (unsigned k = 0; is_whole && k < blockDim.x; ++k) sum += static_cast<long long>(partial[k]);
  for (unsigned k = 1; !is_whole && k < blockDim.x; ++k) result += partial[k];
  out[blockIdx.x] = is_whole ? static_cast<float>(sum) : result;
}
extern "C" __global__ void sum_in_place(float*) {}
