#pragma once
/// \file Device memory of the comparisons: inputs that are rotated past the cache, and CUB's scratch memory.

#include <algorithm>

#include "comparison.hpp"
#include "measuring.cuh"

namespace warpwise::measuring {

/// Device memory for `size` values, freed with its owner.
template <class T>
class Array {
 public:
  explicit Array(size_t size) : values_(allocate<T>(size)), size_(size) {}
  ~Array() { cudaFree(values_); }
  Array(const Array&) = delete;  ///< two owners would free the memory twice
  Array& operator=(const Array&) = delete;

  T* get() const { return values_; }
  size_t size() const { return size_; }
  void fill_bytes(int byte) const { require(cudaMemset(values_, byte, size_ * sizeof(T)), "cudaMemset"); }
  T value_at(size_t place) const { return measuring::value_at(values_ + place); }
  void set_value_at(size_t place, T value) const {
    require(cudaMemcpy(values_ + place, &value, sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }

 private:
  T* values_;
  size_t size_;
};

/// One array of which each turn takes another stretch of n elements. It has four times the size of the L2
/// cache at least: when a stretch comes again, it has left the cache.
template <class T>
class Rotation {
 public:
  explicit Rotation(const Plan& plan, unsigned largest_n)
      : values_(std::max(size_t{largest_n}, 4 * plan.cache_bytes / sizeof(T)) + alignment) {}

  const Array<T>& values() const { return values_; }
  T* stretch(unsigned n, unsigned turn) const {
    const size_t step = (size_t{n} + alignment - 1) / alignment * alignment;
    const size_t places = std::max<size_t>(1, values_.size() / step);
    return values_.get() + turn % places * step;
  }

 private:
  static constexpr size_t alignment =
      256 / sizeof(T);  // elements between two places where cudaMalloc would begin
  Array<T> values_;
};

/// CUB's calls take place twice: the first asks how much scratch memory the second needs.
class Cub {
 public:
  Cub() = default;
  ~Cub() { cudaFree(scratch_); }
  Cub(const Cub&) = delete;  ///< two owners would free the memory twice
  Cub& operator=(const Cub&) = delete;

  /// Asks, and keeps what the next runs of the same call need.
  template <class Call>
  void prepare(Call call) {
    size_t bytes = 0;
    require(call(static_cast<void*>(nullptr), bytes), "asking CUB for its scratch memory");
    bytes_ = bytes;
    if (bytes <= held_) return;
    require(cudaFree(scratch_), "cudaFree");
    scratch_ = allocate<char>(held_ = bytes);
  }
  template <class Call>
  void run(Call call) {
    require(call(static_cast<void*>(scratch_), bytes_), "CUB");
  }

 private:
  char* scratch_ = nullptr;
  size_t bytes_ = 0, held_ = 0;
};

/// values[i] = value(mixed(i)).
template <class T, class Value>
__global__ void fill_kernel(T* values, size_t n, Value value) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x)
    values[i] = value(mixed(static_cast<unsigned>(i) + 1));
}
template <class T, class Value>
void fill(const Array<T>& array, Value value) {
  fill_kernel<<<1024, 256>>>(array.get(), array.size(), value);
  require(cudaGetLastError(), "filling an array");
}

}  // namespace warpwise::measuring
