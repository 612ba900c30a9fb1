#pragma once
/// \file The devices of one run of a chapter's executable.

#include <memory>
#include <string>

#include "../device/gpu_device.hpp"
#include "../device/simulated_device.hpp"
#include "chapter.hpp"
#include "options.hpp"

namespace warpwise::harness {

struct Bench {
  std::unique_ptr<SimulatedDevice> simulated;
  std::unique_ptr<GpuDevice> gpu;  ///< may be absent

  std::string gpu_name() const { return gpu ? gpu->properties().name : ""; }
};

/// The devices that `choice` names, with `module` loaded, and the checks told of them. Throws NotJudged
/// where the module cannot be used or a GPU is asked for that is not there.
Bench make_bench(DeviceChoice choice, const std::string& module);

/// Throws UsageError where the chapter has no such kernel, NotJudged where the module lacks one that is going
/// to be checked (`kernel` empty: any).
void expect_kernels(const Chapter& chapter, const std::string& kernel, const SimulatedDevice& device,
                    const std::string& module);

}  // namespace warpwise::harness
