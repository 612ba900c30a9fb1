#pragma once
/// \file How CUDA is called: the runtime through cuda_call or, in destructors, cuda_call_noexcept; and those
/// few functions of the driver that load a PTX text and launch its kernels.

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

/// They are asked for while the program runs (cudaGetDriverEntryPoint), so that it also links and starts
/// where there is no driver. Types are spelled out here because libcuda's header does not come with every
/// toolkit. Source: CUDA driver API manual, "Module management" and "Execution control".
struct Driver {
  // A CUresult of 0 is success; the other values are those of cudaError_t. CUmodule and CUfunction are
  // pointers.
  int (*load_module)(void** module, const void* text, unsigned option_count, int* options, void** values);
  int (*unload_module)(void* module);
  int (*find_function)(void** function, void* module, const char* name);
  int (*set_function_attribute)(void* function, int attribute, int value);
  int (*launch)(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                unsigned block_y, unsigned block_z, unsigned shared_bytes, void* stream, void** arguments,
                void** extra);

  // Values of CUjit_option and CUfunction_attribute that are used.
  static constexpr int jit_error_log = 5, jit_error_log_bytes = 6;
  static constexpr int jit_line_info = 13;  ///< so that profilers know the lines of the source
  static constexpr int max_dynamic_shared_bytes = 8;
};

/// Throws CudaError where there is no driver, or one without these functions.
const Driver& driver();

}  // namespace warpwise::harness
