#pragma once
/// \file What the attributes of cudaLaunchKernelEx ask for beyond a grid and a block.

#include <cuda_runtime_api.h>

#include <vector>

namespace warpwise::runtime {

struct LaunchAttributes {
  bool is_cooperative = false;
  std::vector<cudaEvent_t> events;  ///< to record when the kernel has run
};

/// Refuses, and with that ends the program, what the simulated GPU does not honour. Whatever only advises is
/// left out: so that no attribute changes a result in silence.
LaunchAttributes read_attributes(const cudaLaunchConfig_t& config);

/// Likewise for cudaFuncSetAttribute(function, attribute, value).
void refuse_unless_honoured(cudaFuncAttribute attribute, int value);

}  // namespace warpwise::runtime
