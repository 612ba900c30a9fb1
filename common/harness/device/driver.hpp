#pragma once
/// \file The few functions of the CUDA driver that load a PTX text and launch its kernels. They are asked for
/// while the program runs (cudaGetDriverEntryPoint), so that it also links and starts where there is no
/// driver. Types are spelled out here because libcuda's header does not come with every toolkit. Source: CUDA
/// driver API manual, "Module management" and "Execution control".

namespace warpwise::harness {

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
