#pragma once
/// \file What every program of the corpus does on the host: make buffers, launch, print the result.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../../../testing/program.cuh"

inline void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(1);
}

/// What a buffer holds before the launch. poison: as cudaMalloc gives it. null and freed: no buffer at all.
enum class Fill { random, iota, zero, poison, null, freed };

/// Small values that depend on their place, so that sums of a few thousand stay exact in a float.
inline std::uint32_t random_word(std::uint32_t i) {
  i = (i + 1) * 0x9E3779B9u;
  i = (i ^ (i >> 16)) * 0x85EBCA6Bu;
  return (i ^ (i >> 13)) & 0xffffu;
}

/// `n` elements on the device, filled; freed with the object.
template <class T>
class Buffer {
 public:
  Buffer(std::size_t n, Fill fill) : n_(n) {
    if (fill == Fill::null) return;
    check(cudaMalloc(&data_, n * sizeof(T)));
    if (fill == Fill::freed) {
      check(cudaFree(data_));
      is_freed_ = true;
    } else if (fill != Fill::poison) {
      std::vector<T> values(n);
      for (std::size_t i = 0; i < n; ++i) {
        const auto place = static_cast<std::uint32_t>(i);
        values[i] = static_cast<T>(fill == Fill::zero ? 0 : fill == Fill::iota ? place : random_word(place));
      }
      check(cudaMemcpy(data_, values.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }
  }
  ~Buffer() {
    if (!is_freed_) cudaFree(data_);
  }
  Buffer(const Buffer&) = delete;  // one owner

  T* data() const { return data_; }

  /// Waits for the kernel and prints the first elements; the value for main to return.
  int show() const {
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    if (data_ == nullptr || is_freed_) return 0;
    std::vector<T> values(n_);
    check(cudaMemcpy(values.data(), data_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
    for (std::size_t i = 0; i < n_ && i < 8; ++i) std::printf("%.9g ", static_cast<double>(values[i]));
    std::printf("%s\n", n_ > 8 ? "..." : "");
    return 0;
  }

 private:
  T* data_ = nullptr;
  std::size_t n_;
  bool is_freed_ = false;
};

/// kernel<<<grid, block, shared>>>(arguments...) with all blocks resident, so that they may meet.
template <class Kernel, class... Arguments>
void launch_cooperatively(Kernel* kernel, dim3 grid, dim3 block, std::size_t shared, Arguments... arguments) {
  void* pointers[] = {&arguments...};
  check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid, block, pointers, shared));
}
