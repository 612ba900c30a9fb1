#pragma once
/// \file What the programs share that show one thing about a sum: an array whose sum is known, and a table of
/// kernels with their times.

#include <string>

#include "timing.cuh"

namespace sums {

using warpwise::measuring::allocate;
using warpwise::measuring::download;
using warpwise::measuring::multiprocessors;
using warpwise::measuring::require;

/// Integers from -8 to 7: floats add them exactly, in any order.
__device__ inline int element(size_t i) {
  return static_cast<int>(warpwise::measuring::mixed(static_cast<unsigned>(i) + 1) >> 28) - 8;
}
static __global__ void fill(float* in, size_t n, int* sum) {
  int part = 0;
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x) {
    in[i] = static_cast<float>(element(i));
    part += element(i);
  }
  atomicAdd(sum, part);
}

/// The arguments of each program: LOG2_N and RUNS; without RUNS nothing is timed.
struct Table {
  size_t n;
  unsigned runs;
  float* in;
  float* out;  ///< what kernels write; room for a float for each 8 elements, and for 1024 more
  double sum;
  bool is_right = true;

  Table(int count, char** words, unsigned log2_n)
      : n(size_t{1} << (count > 1 ? std::atoi(words[1]) : static_cast<int>(log2_n))),
        runs(count > 2 ? static_cast<unsigned>(std::atoi(words[2])) : 0),
        in(allocate<float>(n)),
        out(allocate<float>(n / 8 + 1024)) {
    int* const total = allocate<int>(1);
    require(cudaMemset(total, 0, sizeof(int)), "cudaMemset");
    fill<<<8 * multiprocessors(), 256>>>(in, n, total);
    sum = warpwise::measuring::value_at(total);
    timing::print_gpu();
  }

  void head(const char* title) const { std::printf("\n%-52s%10s%8s\n", title, "ms", "GB/s"); }
  /// A line: `launch` sums all n elements, and leaves `parts` floats in `out` that add up to the sum.
  template <class Launch>
  void row(const char* name, size_t parts, const Launch& launch) {
    const double time = timing::milliseconds(runs, launch);
    require(cudaMemset(out, 0xff, parts * sizeof(float)), "cudaMemset");
    launch();
    require(cudaGetLastError(), name);
    require(cudaDeviceSynchronize(), name);
    double found = 0;
    for (const float part : download(out, parts)) found += part;
    is_right = is_right && found == sum;
    std::printf("%-52s", name);
    if (runs > 0)
      std::printf("%10.4f%8.0f", time, 4e-6 * static_cast<double>(n) / time);
    else
      std::printf("%10s%8s", "-", "-");
    std::printf("%s\n", found == sum ? "" : "   WRONG");
  }
  int status() const {
    std::printf(is_right ? "\nall sums of %s floats are right\n" : "\nWRONG\n", timing::name_of(n));
    return is_right ? 0 : 1;
  }
};

/// The sum over all threads of the block, in thread 0; a second call needs a barrier before it.
__device__ inline float block_sum(float value) {
  __shared__ float of_warps[32];
  for (unsigned distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();  // or a sum could be read before its warp has stored it
  if (threadIdx.x < 32) {
    value = threadIdx.x < blockDim.x / 32 ? of_warps[threadIdx.x] : 0.0f;
    for (unsigned distance = 16; distance > 0; distance /= 2)
      value += __shfl_down_sync(0xffffffffu, value, distance);
  }
  return value;
}

}  // namespace sums
