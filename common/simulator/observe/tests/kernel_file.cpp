#include "kernel_file.hpp"

#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace warpwise::simulator::testing {

namespace {

constexpr std::uint32_t inputs = 4096, outputs = 1024, words = 64;

/// The kinds that a line's comment expects: "//! race uninitialised".
std::vector<std::string> marks_of(const std::string& line) {
  const std::size_t mark = line.find("//! ");
  if (mark == std::string::npos) return {};
  std::istringstream text(line.substr(mark + 4));
  std::vector<std::string> kinds;
  for (std::string kind; text >> kind;) kinds.push_back(kind);
  return kinds;
}

}  // namespace

KernelFile::KernelFile(const std::string& name) {
  read_marks(WARPWISE_SOURCE_DIR "/tests/kernels/" + name + ".cu");
  const std::string module = WARPWISE_BINARY_DIR "/tests/kernels/" + name + ".ptx";
  program_ = std::make_unique<Program>(ptx::read_module_file(module), memory_);
}

void KernelFile::read_marks(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  const std::regex start("^KERNEL (\\w+)\\(PARAMETERS\\).*"), launch("^// launch: (\\d+) (\\d+)$");
  std::uint32_t number = 0;
  std::smatch match;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (std::regex_match(line, match, start)) {
      kernels_.emplace_back();
      kernels_.back().name = match[1];
    } else if (std::regex_match(line, match, launch)) {
      kernels_.back().grid = static_cast<std::uint32_t>(std::stoul(match[1]));
      kernels_.back().block = static_cast<std::uint32_t>(std::stoul(match[2]));
    }
    if (kernels_.empty()) continue;
    for (const std::string& kind : marks_of(line)) kernels_.back().expected[kind].insert(number);
  }
}

const MarkedKernel& KernelFile::kernel(const std::string& name) const {
  for (const MarkedKernel& kernel : kernels_) {
    if (kernel.name == name) return kernel;
  }
  throw std::runtime_error("no kernel " + name);
}

LaunchReport KernelFile::run(const MarkedKernel& kernel, Watch watch, std::uint32_t threads,
                             const std::string& schedule) {
  Allocation& out = memory_.allocate(outputs * sizeof(float), "out", sizeof(float));
  Allocation& in = memory_.allocate(inputs * sizeof(float), "in", sizeof(float));
  Allocation& sync = memory_.allocate(words * sizeof(std::uint32_t), "sync", sizeof(std::uint32_t));
  auto* values = reinterpret_cast<float*>(in.base);
  for (std::uint32_t i = 0; i < inputs; ++i) values[i] = static_cast<float>(i * 7 % 1000);
  in.mark_written(0, in.bytes);
  std::fill_n(reinterpret_cast<std::uint32_t*>(sync.base), words, 0u);
  sync.mark_written(0, sync.bytes);

  const std::uint64_t pointers[3] = {out.base, in.base, sync.base};
  const int n = inputs;
  const void* arguments[4] = {&pointers[0], &pointers[1], &pointers[2], &n};
  LaunchRequest request;
  request.kernel = kernel.name;
  request.grid = {kernel.grid, 1, 1};
  request.block = {kernel.block, 1, 1};
  request.dynamic_shared_bytes = kernel.block * static_cast<std::uint32_t>(sizeof(float));
  request.arguments = arguments;
  LaunchOptions options;
  options.threads = threads;
  options.budget = 20'000'000;
  options.schedule = Schedule::parse(schedule);
  observe::LaunchObservation observation(watch, std::uint64_t{1} << 30);
  Observation* const observations[] = {&observation};
  LaunchReport report =
      observation.take_report(run::launch(*program_, memory_, request, options, observations));
  for (const std::uint64_t base : pointers) memory_.release(base);
  return report;
}

}  // namespace warpwise::simulator::testing
