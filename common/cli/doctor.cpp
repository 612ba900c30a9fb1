#include <dlfcn.h>
#include <sys/utsname.h>

#include <array>
#include <fstream>
#include <iostream>
#include <thread>

#include "chapters.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "process.hpp"
#include "table.hpp"

namespace warpwise::cli {
namespace {

/// The first line that `command` prints, or why there is none.
std::string first_line(const std::vector<std::string>& command) {
  try {
    const ProcessResult result = capture_process(command);
    return result.status == 0 ? result.output.substr(0, result.output.find('\n'))
                              : command.front() + " fails";
  } catch (const Failure& failure) {
    return failure.what();
  }
}

/// "PRETTY_NAME" of /etc/os-release, kernel and processor.
std::string system_name() {
  std::ifstream file("/etc/os-release");
  std::string name = "Linux";
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("PRETTY_NAME=\"")) name = line.substr(13, line.size() - 14);
  }
  utsname system{};
  if (uname(&system) != 0) return name;
  return name + ", " + system.release + ", " + system.machine;
}

/// Asks the driver, which is loaded by hand: most machines have none.
std::string gpu_name() {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (driver == nullptr) return "none: no NVIDIA driver (libcuda.so.1); kernels run on the simulated GPU";
  const auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
  const auto count_of = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDeviceGetCount"));
  const auto version_of = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDriverGetVersion"));
  const auto name_of = reinterpret_cast<int (*)(char*, int, int)>(dlsym(driver, "cuDeviceGetName"));
  if (init == nullptr || count_of == nullptr || version_of == nullptr || name_of == nullptr) {
    return "none: libcuda.so.1 is not NVIDIA's driver";
  }
  if (const int error = init(0); error != 0)
    return "none: the driver does not start (CUDA error " + std::to_string(error) + ")";
  int count = 0, version = 0;
  std::array<char, 128> name{};
  if (count_of(&count) != 0 || count == 0) return "none: the driver knows no GPU";
  if (name_of(name.data(), static_cast<int>(name.size()), 0) != 0) return "one that does not tell its name";
  version_of(&version);
  return std::string(name.data()) + (count > 1 ? " and " + std::to_string(count - 1) + " more" : "") +
         ", driver for CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Whether this toolkit still compiles, which is what matters of it.
std::string kernel_compiles() {
  const std::filesystem::path folder = build_folder() / "probe";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "probe.cu") << "extern \"C\" __global__ void probe(int* out) { *out = 1; }\n";
  const ProcessResult result =
      capture_process({WARPWISE_NVCC, "-ptx", "-arch=compute_75", "-o", (folder / "probe.ptx").string(),
                       (folder / "probe.cu").string()});
  return result.status == 0 ? "yes" : "no: " + result.output.substr(0, result.output.find('\n'));
}

}  // namespace

int doctor() {
  const std::string compiles = kernel_compiles();
  Table table({"", ""}, 2);
  table.add_row({"system", system_name()});
  table.add_row({"processors", std::to_string(std::thread::hardware_concurrency())});
  table.add_row({"this clone", root_folder().string()});
  table.add_row({"C++ compiler", WARPWISE_COMPILER});
  table.add_row({"CMake", first_line({"cmake", "--version"})});
  table.add_row({"Ninja", first_line({"ninja", "--version"})});
  table.add_row({"git", first_line({"git", "--version"})});
  table.add_row({"CUDA toolkit", std::string(WARPWISE_TOOLKIT_VERSION) + ", " + WARPWISE_NVCC});
  table.add_row({"compiles a kernel", compiles});
  table.add_row({"GPU", gpu_name()});
  table.add_row({"logs", (build_folder() / "*.log").string()});
  const std::string text = table.text();
  std::cout << text.substr(text.find('\n') + 1);  // no header
  return compiles == "yes" ? all_well : failed;
}

}  // namespace warpwise::cli
