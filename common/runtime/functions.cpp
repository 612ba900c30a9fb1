/// \file Kernels as objects: their attributes, and how many blocks of them fit.

#include <algorithm>

#include "api.hpp"
#include "launching.hpp"

using namespace warpwise::runtime;
namespace simulator = warpwise::simulator;

namespace {

/// What the machine code of most kernels uses; PTX does not say, and nothing here depends on it.
constexpr int usual_registers = 32;

template <class Body>
cudaError_t with_kernel(const void* function, Body&& body) {
  return call([&](Context& context) {
    Kernel* kernel = context.modules.find_kernel(function);
    if (kernel == nullptr) return no_such_kernel;
    const auto* info = context.modules.info_of(*kernel);
    if (info == nullptr) return cudaErrorInvalidDeviceFunction;
    return static_cast<cudaError_t>(body(context, *kernel, *info));
  });
}

/// "sm_75" -> 75
int number_of_target(const std::string& target) {
  int number = 0;
  for (const char c : target)
    if (c >= '0' && c <= '9') number = 10 * number + (c - '0');
  return number;
}

int constant_bytes(const simulator::Program& program) {
  std::uint64_t bytes = 0;
  for (const auto& variable : program.module().variables)
    if (variable.space == warpwise::simulator::ptx::Space::constant) bytes += variable.bytes;
  return static_cast<int>(bytes);
}

}  // namespace

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return with_kernel(
      function, [&](Context&, const Kernel& kernel, const simulator::Program::KernelInfo& info) {
        const simulator::Program& program = *kernel.module->program;
        *attributes = {};
        attributes->sharedSizeBytes = info.static_shared_bytes;
        attributes->constSizeBytes = static_cast<size_t>(constant_bytes(program));
        attributes->localSizeBytes = info.local_bytes;
        attributes->maxThreadsPerBlock =
            static_cast<int>(info.function->max_threads.value_or(simulator::max_block_threads));
        attributes->numRegs = usual_registers;
        attributes->ptxVersion = number_of_target(program.module().target);
        attributes->binaryVersion = 90;
        attributes->maxDynamicSharedSizeBytes = kernel.max_dynamic_shared_bytes;
        attributes->preferredShmemCarveout = kernel.shared_carveout;
        return cudaSuccess;
      });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return with_kernel(function, [&](Context& context, Kernel& kernel, const auto& info) {
    refuse_unless_honoured(attribute, value);
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
      const int most = static_cast<int>(simulator::max_shared_bytes - info.static_shared_bytes);
      if (value < 0 || value > most)
        return fail(context, "cudaFuncSetAttribute", cudaErrorInvalidValue,
                    std::to_string(value) + " bytes of dynamic shared memory are not from 0 to " +
                        std::to_string(most));
      kernel.max_dynamic_shared_bytes = value;
    } else if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
      kernel.shared_carveout = value;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return with_kernel(function, [](auto&&...) { return cudaSuccess; });
}

#if CUDART_VERSION >= 12030
cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return with_kernel(function, [&](Context&, const Kernel& kernel, const auto&) {
    *name = kernel.name.c_str();
    return cudaSuccess;
  });
}
#endif

#if CUDART_VERSION >= 12040
cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset, size_t* bytes) {
  return with_kernel(function, [&](Context&, const Kernel&, const simulator::Program::KernelInfo& info) {
    if (index >= info.function->formals) return cudaErrorInvalidValue;
    *offset = info.function->parameters[index].offset;
    if (bytes != nullptr) *bytes = info.function->parameters[index].bytes;
    return cudaSuccess;
  });
}
#endif

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                   int threads, size_t dynamic_bytes,
                                                                   unsigned) {
  return with_kernel(function, [&](Context& context, const Kernel& kernel, const auto&) {
    if (blocks == nullptr || threads <= 0) return cudaErrorInvalidValue;
    *blocks = resident_blocks(context, kernel, threads, dynamic_bytes);
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          size_t dynamic_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamic_bytes, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks, int) {
  return with_kernel(function, [&](Context&, const Kernel&, const simulator::Program::KernelInfo& info) {
    if (blocks <= 0 || blocks > multiprocessor_blocks) return cudaErrorInvalidValue;
    const int share = std::min<int>(multiprocessor_shared_bytes / blocks / 128 * 128 - reserved_shared_bytes,
                                    static_cast<int>(simulator::max_shared_bytes));
    *bytes = static_cast<size_t>(std::max(0, share - static_cast<int>(info.static_shared_bytes)));
    return cudaSuccess;
  });
}

}  // extern "C"
