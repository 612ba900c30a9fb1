/// \file Kernels as objects, their attributes and how many blocks of them fit; and their launches: `<<<>>>`,
/// the functions that it calls, and the attributes of cudaLaunchKernelEx.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "launching.hpp"

using namespace warpwise::runtime;
namespace simulator = warpwise::simulator;

#if CUDART_VERSION < 12010
using cudaKernel_t = struct CUkern_st*;  // the headers of CUDA 12.0 have no name for it
#endif

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

// By number: the headers of CUDA 12.0 know fewer names. CUDA runtime API, "cudaLaunchAttributeID".
enum Attribute : int {
  ignore = 0,
  access_policy_window = 1,
  cooperative = 2,
  synchronisation_policy = 3,
  cluster_dimension = 4,
  cluster_scheduling = 5,
  programmatic_serialisation = 6,  // launches may overlap: here the one before has always ended
  programmatic_event = 7,
  priority = 8,
  memory_domain_map = 9,
  memory_domain = 10,
  preferred_cluster_dimension = 11,  // the driver may keep to the cluster dimension
  completion_event = 12,
  shared_memory_carveout = 14,
  nvlink_scheduling = 16,
  cluster_size_mode = 17,
};

/// Those that advise: any launch honours them.
constexpr std::array advice = {ignore,
                               access_policy_window,
                               synchronisation_policy,
                               cluster_scheduling,
                               programmatic_serialisation,
                               priority,
                               memory_domain_map,
                               memory_domain,
                               preferred_cluster_dimension,
                               shared_memory_carveout,
                               nvlink_scheduling,
                               cluster_size_mode};

[[noreturn]] void refuse_clusters(const char* where, std::uint64_t blocks) {
  refuse(std::string(where) + " asks for clusters of " + std::to_string(blocks) +
         " blocks; thread block clusters are not supported by the simulated GPU.");
}

struct LaunchAttributes {
  bool is_cooperative = false;
  std::vector<cudaEvent_t> events;  ///< to record when the kernel has run
};

/// Refuses, and with that ends the program, what the simulated GPU does not honour. Whatever only advises is
/// left out: so that no attribute changes a result in silence.
LaunchAttributes read_attributes(const cudaLaunchConfig_t& config) {
  LaunchAttributes result;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    const auto& cluster = attribute.val.clusterDim;
    switch (const int id = static_cast<int>(attribute.id); id) {
      case cooperative:
        result.is_cooperative = attribute.val.cooperative != 0;
        break;
      case cluster_dimension:
        if (const std::uint64_t blocks = std::uint64_t{cluster.x} * cluster.y * cluster.z; blocks > 1)
          refuse_clusters("cudaLaunchKernelEx", blocks);
        break;
      case programmatic_event:
      case completion_event:  // both values begin with the event
        result.events.push_back(attribute.val.programmaticEvent.event);
        break;
      default:
        if (std::find(advice.begin(), advice.end(), id) == advice.end())
          refuse("the attribute " + std::to_string(id) +
                 " of cudaLaunchKernelEx (cudaLaunchAttributeID) is not supported by the simulated GPU.");
    }
  }
  return result;
}

/// Likewise for cudaFuncSetAttribute(function, attribute, value).
void refuse_unless_honoured(cudaFuncAttribute attribute, int value) {
  const bool is_cluster_size = attribute == cudaFuncAttributeRequiredClusterWidth ||
                               attribute == cudaFuncAttributeRequiredClusterHeight ||
                               attribute == cudaFuncAttributeRequiredClusterDepth;
  if (is_cluster_size && value > 1)
    refuse_clusters("cudaFuncSetAttribute", static_cast<std::uint64_t>(value));
}

/// What `<<<grid, block, shared, stream>>>` left for the stub that it calls next.
struct Configuration {
  dim3 grid, block;
  std::size_t shared_bytes;
  cudaStream_t stream;
};
thread_local std::vector<Configuration> configurations;

cudaError_t launch_call(const LaunchCall& what) {
  return ask([&](Context& context) { return launch(context, what); });
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

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream) {
  configurations.push_back({grid, block, shared_bytes, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
  if (configurations.empty()) return remember(cudaErrorMissingConfiguration);
  const Configuration top = configurations.back();
  configurations.pop_back();
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  return ask([&](Context& context) {
    Kernel* found = context.modules.find_kernel(host);
    *kernel = reinterpret_cast<cudaKernel_t>(found);
    return found != nullptr ? cudaSuccess : cudaErrorInvalidDeviceFunction;
  });
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* host) { return __cudaGetKernel(kernel, host); }

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t) {
  return launch_call({function, grid, block, arguments, shared_bytes, false});
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared_bytes, cudaStream_t) {
  return launch_call({kernel, grid, block, arguments, shared_bytes, false});
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes, cudaStream_t) {
  return launch_call({function, grid, block, arguments, shared_bytes, true});
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  const LaunchAttributes attributes = read_attributes(*config);
  const cudaError_t status = launch_call({function, config->gridDim, config->blockDim, arguments,
                                          config->dynamicSmemBytes, attributes.is_cooperative});
  for (const cudaEvent_t event : attributes.events)
    if (status == cudaSuccess) cudaEventRecord(event, config->stream);
  return status;
}

}  // extern "C"

WARPWISE_ALSO(cudaLaunchKernel, cudaLaunchKernel_ptsz);
WARPWISE_ALSO(__cudaLaunchKernel, __cudaLaunchKernel_ptsz);
WARPWISE_ALSO(cudaLaunchCooperativeKernel, cudaLaunchCooperativeKernel_ptsz);
WARPWISE_ALSO(cudaLaunchKernelExC, cudaLaunchKernelExC_ptsz);
