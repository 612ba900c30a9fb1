#include "gpu_presence.hpp"

#include <dlfcn.h>

#include <array>

namespace warpwise::cli {

GpuPresence find_gpu() {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (driver == nullptr) return {false, "no NVIDIA driver, libcuda.so.1"};
  const auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
  const auto count_of = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDeviceGetCount"));
  const auto version_of = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDriverGetVersion"));
  const auto name_of = reinterpret_cast<int (*)(char*, int, int)>(dlsym(driver, "cuDeviceGetName"));
  if (init == nullptr || count_of == nullptr || version_of == nullptr || name_of == nullptr) {
    return {false, "libcuda.so.1 is not NVIDIA's driver"};
  }
  if (const int error = init(0); error != 0)
    return {false, "the driver does not start (CUDA error " + std::to_string(error) + ")"};
  int count = 0, version = 0;
  std::array<char, 128> name{};
  if (count_of(&count) != 0 || count == 0) return {false, "the driver sees no GPU"};
  if (name_of(name.data(), static_cast<int>(name.size()), 0) != 0)
    return {true, "one that does not give its name"};
  version_of(&version);
  return {true,
          std::string(name.data()) + (count > 1 ? " and " + std::to_string(count - 1) + " more" : "") +
              ", driver for CUDA " + std::to_string(version / 1000) + "." +
              std::to_string(version % 1000 / 10),
          version};
}

std::string driver_problem(const GpuPresence& gpu, const std::string& toolkit_version) {
  const int major = std::stoi(toolkit_version);
  if (gpu.cuda == 0 || gpu.cuda / 1000 >= major) return {};
  return "the driver here is too old (" + gpu.text + ") for programs of CUDA " + toolkit_version +
         ": update the driver, or name the folder of an older toolkit in WARPWISE_TOOLKIT.";
}

}  // namespace warpwise::cli
