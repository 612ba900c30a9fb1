/// \file Launches: `<<<>>>`, the functions that it calls, and the attributes of cudaLaunchKernelEx.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "api.hpp"
#include "launching.hpp"

namespace warpwise::runtime {

namespace {

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

}  // namespace

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

void refuse_unless_honoured(cudaFuncAttribute attribute, int value) {
  const bool is_cluster_size = attribute == cudaFuncAttributeRequiredClusterWidth ||
                               attribute == cudaFuncAttributeRequiredClusterHeight ||
                               attribute == cudaFuncAttributeRequiredClusterDepth;
  if (is_cluster_size && value > 1)
    refuse_clusters("cudaFuncSetAttribute", static_cast<std::uint64_t>(value));
}

}  // namespace warpwise::runtime

using namespace warpwise::runtime;

#if CUDART_VERSION < 12010
using cudaKernel_t = struct CUkern_st*;  // the headers of CUDA 12.0 have no name for it
#endif

namespace {

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
