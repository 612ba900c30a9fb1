#pragma once
/// \file The parts of a run of a chapter's executable: devices with the module under test, and its checks.

#include <memory>
#include <string>
#include <vector>

#include "../device/gpu_device.hpp"
#include "chapter.hpp"
#include "options.hpp"

namespace warpwise::harness {

struct Devices {
  std::unique_ptr<SimulatedDevice> simulated;
  std::unique_ptr<GpuDevice> gpu;  ///< may be absent

  std::string gpu_name() const { return gpu ? gpu->properties().name : ""; }
};

/// The devices that `choice` names, with `module` loaded. Throws NotJudged where the module cannot be used or
/// a GPU is asked for that is not there.
Devices load_devices(DeviceChoice choice, const std::string& module);

/// Throws UsageError where the chapter has no such kernel, NotJudged where the module lacks one that is going
/// to be checked (`kernel` empty: any).
void expect_kernels(const CheckedChapter& chapter, const std::string& kernel, const SimulatedDevice& device,
                    const std::string& module);

struct ChecksRun {
  Record record;
  int catch_status = 0;  ///< says less than the record: only where Catch2 was asked for a list or for help
};
/// Runs the registered checks that `names` matches, as in "reduce_naive: safety*" (empty: all), with Catch2,
/// in the order in which they were registered. Only `catch_arguments` let Catch2's own report through.
ChecksRun run_checks(const Devices& devices, const std::string& names,
                     const std::vector<std::string>& catch_arguments);

}  // namespace warpwise::harness
