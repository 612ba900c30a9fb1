#include "bench.hpp"

#include <cstdio>
#include <filesystem>
#include <vector>

#include "skeleton.hpp"

namespace warpwise::harness {

namespace {

std::string kernel_names(const Chapter& chapter) {
  std::string names;
  for (const Exhibit& exhibit : chapter.exhibits) {
    names += (names.empty() ? "" : ", ") + std::string(exhibit.kernel.text);
  }
  return names;
}

std::unique_ptr<SimulatedDevice> simulated_device(const std::string& module) {
  if (!std::filesystem::exists(module)) {
    throw UsageError("there is no module " + module + "; ./warpwise run builds the exercise's");
  }
  try {
    return std::make_unique<SimulatedDevice>(module);
  } catch (const simulator::ptx::Error& error) {
    throw UsageError(std::string("the module cannot be used: ") + error.what());
  }
}

std::unique_ptr<GpuDevice> gpu_device(DeviceChoice choice, const std::string& module) {
  if (choice == DeviceChoice::gpu && !is_gpu_available()) {
    throw UsageError("--device gpu: " + gpu_availability().reason);
  }
  if (choice == DeviceChoice::simulator || !is_gpu_available()) return nullptr;
  try {
    return make_gpu_device(module);
  } catch (const std::exception& error) {
    if (choice == DeviceChoice::gpu) throw;
    std::fprintf(stderr, "The GPU is not used: %s\n", error.what());
    return nullptr;
  }
}

}  // namespace

Bench make_bench(DeviceChoice choice, const std::string& module) {
  Bench bench{simulated_device(module), gpu_device(choice, module)};
  std::vector<std::reference_wrapper<Device>> all{*bench.simulated};
  if (bench.gpu) all.emplace_back(*bench.gpu);
  use_devices(all);
  return bench;
}

void expect_kernels(const Chapter& chapter, const std::string& kernel, const SimulatedDevice& device,
                    const std::string& module) {
  if (!kernel.empty() && chapter.find(kernel) == nullptr) {
    throw UsageError(std::string(chapter.name) + " has no kernel '" + kernel + "'; it has " +
                     kernel_names(chapter));
  }
  for (const Exhibit& exhibit : chapter.exhibits) {
    if (!kernel.empty() && chapter.find(kernel) != &exhibit) continue;
    const KernelName alone[] = {exhibit.kernel};
    const std::span<const KernelName> needed = exhibit.family.empty() ? std::span(alone) : exhibit.family;
    for (const KernelName& name : needed) {
      if (device.has_kernel(std::string(name.text))) continue;
      const std::string source = source_of(device.program().module());
      throw UsageError(
          (source.empty() ? module : shown_path(source)) + " has no kernel '" + std::string(name.text) + "'" +
          (name.text == exhibit.kernel.text
               ? ""
               : ", which is judged together with " + std::string(exhibit.kernel.text)) +
          "; was its name changed? The names are those of " + std::string(chapter.name) + "/kernels.hpp");
    }
  }
}

}  // namespace warpwise::harness
