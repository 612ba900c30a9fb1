#pragma once
/// \file From a call of the runtime to a launch of the simulated GPU, and from its findings to CUDA's errors.

#include "context.hpp"

namespace warpwise::runtime {

struct LaunchCall {
  const void* function = nullptr;  ///< host stub or Kernel
  dim3 grid, block;
  void** arguments = nullptr;  ///< one pointer a parameter
  std::size_t shared_bytes = 0;
  bool is_cooperative = false;
};

/// What a call returns that names no kernel of the program. Since CUDA 13 such an address is taken for a
/// handle (seen on an H200).
inline constexpr cudaError_t no_such_kernel =
    CUDART_VERSION >= 13000 ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;

/// Runs the kernel to its end. Returns what a launch returns at once (a wrong configuration); what the kernel
/// did wrong becomes Context::fault, which the next call that waits returns.
cudaError_t launch(Context& context, const LaunchCall& call);

/// Threads that one multiprocessor of the simulated GPU holds, and so on: those of compute capability 9.0
/// (CUDA programming guide, "Technical specifications per compute capability").
inline constexpr int multiprocessors = 16;
inline constexpr int multiprocessor_threads = 2048;
inline constexpr int multiprocessor_blocks = 32;
inline constexpr int multiprocessor_shared_bytes = 228 * 1024;
inline constexpr int reserved_shared_bytes = 1024;  ///< a block, for the system
inline constexpr int usual_shared_bytes = simulator::usual_shared_bytes;

/// Blocks of `kernel` that fit on one multiprocessor. PTX does not give the registers of the machine code:
/// they are taken to be few enough not to matter.
int resident_blocks(Context& context, const Kernel& kernel, int block_threads, std::size_t dynamic_bytes);

}  // namespace warpwise::runtime
