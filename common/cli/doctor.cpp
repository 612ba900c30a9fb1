#include <sys/utsname.h>

#include <fstream>
#include <iostream>
#include <thread>

#include "chapters.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "gpu_presence.hpp"
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
  const GpuPresence gpu = find_gpu();
  table.add_row(
      {"GPU", gpu.is_there ? gpu.text : "none: " + gpu.text + "; kernels run on the simulated GPU"});
  table.add_row({"logs", (build_folder() / "*.log").string()});
  const std::string text = table.text();
  std::cout << text.substr(text.find('\n') + 1);  // no header
  return compiles == "yes" ? all_well : failed;
}

}  // namespace warpwise::cli
