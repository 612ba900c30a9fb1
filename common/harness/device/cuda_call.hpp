#pragma once
/// \file Every call of the CUDA runtime goes through cuda_call or, in destructors, cuda_call_noexcept.

#include <stdexcept>
#include <string>

namespace warpwise::harness {

/// what() is "cudaMalloc: out of memory (cudaErrorMemoryAllocation) at gpu_device.cpp:40".
class CudaError : public std::runtime_error {
 public:
  CudaError(const std::string& message, int code) : std::runtime_error(message), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

/// A line of a source. Clang 14 has no std::source_location.
struct Place {
  const char* file;
  int line;
  static constexpr Place current(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

/// `code` is a cudaError_t; throws CudaError unless it is cudaSuccess.
void cuda_call(int code, const char* what, Place place = Place::current());
/// Writes the same sentence to stderr instead: for destructors, which must not throw.
void cuda_call_noexcept(int code, const char* what, Place place = Place::current()) noexcept;

}  // namespace warpwise::harness
