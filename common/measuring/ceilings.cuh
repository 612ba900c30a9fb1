#pragma once
/// \file How fast the memory of this GPU is: measured by a copy and by a kernel that only reads.

#include "arrays.cuh"

namespace warpwise::measuring {

/// Bytes a second.
struct Ceilings {
  double read = 0;  ///< bytes read
  double copy = 0;  ///< bytes read and written
  double peak = 0;  ///< from the memory's clock and width, as the driver tells them; 0: it does not
};

/// Four 16-byte loads in flight; the sum goes nowhere unless it is a value that does not come.
static __global__ void __launch_bounds__(512) read_all(const uint4* in, size_t count, unsigned* never) {
  constexpr unsigned loads = 4;
  unsigned sum = 0;
  const size_t step = size_t{gridDim.x} * blockDim.x * loads;
  for (size_t i = size_t{blockIdx.x} * blockDim.x * loads + threadIdx.x; i < count; i += step) {
    uint4 v[loads];
#pragma unroll
    for (unsigned k = 0; k < loads; ++k) v[k] = __ldcs(in + i + k * blockDim.x);
#pragma unroll
    for (unsigned k = 0; k < loads; ++k) sum |= v[k].x | v[k].y | v[k].z | v[k].w;
  }
  if (sum == 0x87654321u) *never = sum;
}

struct NeverTheAnswer {
  __device__ unsigned operator()(unsigned random) const { return random & 0x0FFFFFFFu; }
};

/// With arrays of `bytes` each, a multiple of 1 MiB and far more than a cache holds.
inline Ceilings measure_ceilings(size_t bytes, unsigned multiprocessors, double peak) {
  const Array<unsigned> from(bytes / 4), to(bytes / 4);
  fill(from, NeverTheAnswer{});
  fill(to, NeverTheAnswer{});
  const unsigned blocks = 4 * multiprocessors;
  const double read = median_time(
      [&] { read_all<<<blocks, 512>>>(reinterpret_cast<const uint4*>(from.get()), bytes / 16, to.get()); },
      15);
  const double copy = median_time(
      [&] {
        require(cudaMemcpyAsync(to.get(), from.get(), bytes, cudaMemcpyDeviceToDevice), "cudaMemcpyAsync");
      },
      15);
  const auto a_second = [](double moved, double milliseconds) { return moved / milliseconds * 1e3; };
  return {a_second(static_cast<double>(bytes), read), a_second(2.0 * static_cast<double>(bytes), copy), peak};
}

}  // namespace warpwise::measuring
