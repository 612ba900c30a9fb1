#pragma once
/// \file CUB's algorithms that kernels are held against, each family in a file of its own (cub_reduce.cu
/// ...): they take minutes to compile together, and are compiled once.
///
/// As CUB has it: with `scratch` nullptr, `bytes` becomes the scratch memory that the call needs, and nothing
/// else happens. All work in the default stream.

#include <cuda_runtime.h>

#include <cstddef>

namespace warpwise::measuring {

cudaError_t cub_sum(void* scratch, std::size_t& bytes, const float* in, float* sum, unsigned n);
cudaError_t cub_max(void* scratch, std::size_t& bytes, const float* in, float* largest, unsigned n);

/// The largest value and the lowest index that it has.
struct CubBest {
  float value;
  long long index;
};
/// Where CUB leaves them differs between its versions; get_cub_best reads it.
struct CubBestMemory {
  alignas(16) unsigned char bytes[32];
};
cudaError_t cub_argmax(void* scratch, std::size_t& bytes, const float* in, CubBestMemory* best, unsigned n);
CubBest get_cub_best(const CubBestMemory& downloaded);

cudaError_t cub_scan(void* scratch, std::size_t& bytes, const int* in, int* out, unsigned n);
/// histogram[k] = how many of the n keys are k, for k below `bins`.
cudaError_t cub_histogram(void* scratch, std::size_t& bytes, const unsigned* keys, unsigned* histogram,
                          unsigned n, unsigned bins);

}  // namespace warpwise::measuring
