/// \file Launches: `<<<>>>` and the functions behind it.

#include <vector>

#include "api.hpp"
#include "launch_attributes.hpp"
#include "launching.hpp"

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
