// Kernels for the tests of the harness.
#include "kernels.hpp"

extern "C" __global__ void twice(const int* in, int* out, unsigned n, int offset) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i] + offset;
}

extern "C" __global__ void nothing(int*) {}

extern "C" __global__ void first_only(int* out) {
  if (threadIdx.x == 0) out[0] = static_cast<int>(0xCDCDCDCD);  // looks like poison, but is written
}

extern "C" __global__ void endless(volatile int* flag) {
  while (*flag == 0) *flag = 0;  // a loop that only reads would be reported as a deadlock
}

extern "C" __global__ void out_of_bounds(int* out, unsigned n) { out[n + threadIdx.x] = 1; }

extern "C" __global__ void sums_by_tree(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];
  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  partial[tid] = i < n ? in[i] : 0.0f;
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (tid < stride) partial[tid] += partial[tid + stride];
  }
  if (tid == 0) out[blockIdx.x] = partial[0];
}

namespace {
__device__ float sum_one_by_one(const float* in, unsigned n) {
  float sum = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x; i < min(n, (blockIdx.x + 1) * blockDim.x); ++i) sum += in[i];
  return sum;
}
__device__ unsigned launches = 0;
}  // namespace

extern "C" __global__ void sums_one_by_one(const float* in, float* out, unsigned n) {
  if (threadIdx.x == 0) out[blockIdx.x] = sum_one_by_one(in, n);
}

extern "C" __global__ void races_for_ever(volatile int* flags) {
  __shared__ int place[64];
  place[threadIdx.x] = static_cast<int>(threadIdx.x);
  flags[threadIdx.x] = place[threadIdx.x ^ 32];
  while (flags[threadIdx.x] >= 0) flags[threadIdx.x] = 0;
}

extern "C" __global__ void writes_its_input(const int* in, int* out) {
  const_cast<int*>(in)[1] = 7;
  out[0] = in[1];
}

extern "C" __global__ void first_warp_loads(const int* in, int* out, unsigned n) {
  int sum = 0;
  if (threadIdx.x < 32)
    for (unsigned i = threadIdx.x; i < n; i += 32) sum += in[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

extern "C" __global__ void all_warps_load(const int* in, int* out, unsigned n) {
  int sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

extern "C" __global__ void waits_for_later_blocks(unsigned* begun) {
  atomicAdd(begun, 1u);
  if (blockIdx.x == 0)
    while (atomicAdd(begun, 0u) != gridDim.x * blockDim.x) {
    }
}

extern "C" __global__ void polls_for_ever(const volatile int* flag) {
  while (*flag == 0) {
  }
}

extern "C" __global__ void warps_at_two_barriers(int* out) {
  if (threadIdx.x < 32)
    __syncthreads();
  else
    asm volatile("bar.sync 1, 64;" ::: "memory");
  out[threadIdx.x] = 1;
}

extern "C" __global__ void one_barrier_of_two_instructions(int* out) {
  // clang-format off
  if (threadIdx.x < 32) __syncthreads(); else asm volatile("bar.sync 0; // again" ::: "memory");
  // clang-format on
  out[threadIdx.x] = 1;
}

extern "C" __global__ void mask_names_who_left(int* out) {
  __syncwarp();
  if (threadIdx.x >= 16) return;
  __syncwarp(0x0000ffff);
  out[threadIdx.x] = 1;
  __syncwarp();
}

extern "C" __global__ void counts_to(int* out, int rounds) {
  volatile int* const mine = out + threadIdx.x;
  for (int i = 0; i < rounds; ++i) *mine = i;
}

// Nothing in any launch but the first.
extern "C" __global__ void sums_of_first_launch(const float* in, float* out, unsigned n) {
  if (threadIdx.x != 0) return;
  if (atomicAdd(&launches, 1) < gridDim.x) out[blockIdx.x] = sum_one_by_one(in, n);
}

extern "C" __global__ void adds_even(const int* in, int* out, unsigned is_careful) {
  const unsigned i = threadIdx.x;
  if (is_careful != 0 && i % 2 != 0) return;
  const int value = *static_cast<const volatile int*>(in + i);
  if (i % 2 == 0) out[i] += value;
}

extern "C" __global__ void twice_through_float(const float* __restrict__ in, float* out, unsigned n) {
  const float i = blockIdx.x * blockDim.x + threadIdx.x;
  if (static_cast<unsigned>(i) < n) out[static_cast<unsigned>(i)] = 2 * in[static_cast<unsigned>(i)];
}

extern "C" __global__ void sums_of_rounds(const float* in, float* out, unsigned n) {
  float sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

extern "C" __global__ void sums_through_16_bits(const float* in, float* out, unsigned n) {
  float sum = 0;
  const unsigned short block = blockIdx.x;
  for (unsigned i = block * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
