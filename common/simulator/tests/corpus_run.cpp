#include <chrono>
#include <cstring>
#include <map>
#include <stdexcept>

#include "corpus_program.hpp"

namespace warpwise::simulator::tests {
namespace {

/// Buffers and scalars by name; every value has 8 bytes, of which the kernel takes as many as it declares.
class Arguments {
 public:
  explicit Arguments(GlobalMemory& memory) : memory_(memory) {}

  std::uint64_t* value_of(const corpus::Argument& argument) {
    if (argument.kind == corpus::Argument::Kind::buffer) values_[argument.name] = make(argument);
    if (argument.kind == corpus::Argument::Kind::scalar) values_[argument.name] = argument.value;
    const auto found = values_.find(argument.name);
    if (found == values_.end()) throw std::runtime_error("no such buffer: " + argument.name);
    return &found->second;
  }

 private:
  std::uint64_t make(const corpus::Argument& buffer) {
    if (buffer.content == "null") return 0;
    const auto element = static_cast<std::uint32_t>(corpus::bytes_of_type(buffer.type));
    Allocation& allocation = memory_.allocate(buffer.count * element, buffer.name, element);
    const std::uint64_t base = allocation.base;
    if (buffer.content == "freed")
      memory_.release(base);
    else if (buffer.content != "poison") {
      const std::vector<unsigned char> bytes = corpus::filled(buffer);
      if (!bytes.empty()) std::memcpy(allocation.storage.get(), bytes.data(), bytes.size());
      allocation.mark_written(0, bytes.size());
    }
    return base;
  }

  GlobalMemory& memory_;
  std::map<std::string, std::uint64_t> values_;  ///< addresses stay: the launch points at them
};

Dim3 dim(const unsigned (&sizes)[3]) { return {sizes[0], sizes[1], sizes[2]}; }

/// As the Itanium C++ ABI writes a name: "4half".
std::string mangled(const std::string& name) { return std::to_string(name.size()) + name; }

/// The module's name of a kernel that the source calls `name` or `name<...>`, in the program's namespace.
std::string name_in_module(const Program& module, const CorpusProgram& program, const std::string& name) {
  const std::string part = mangled(program.name) + mangled(name.substr(0, name.find('<')));
  for (const std::string& candidate : module.kernel_names()) {
    if (candidate.find(part) != std::string::npos) return candidate;
  }
  throw std::runtime_error(program.name + " has no kernel " + name);
}

}  // namespace

CorpusResult run_corpus_program(const CorpusProgram& program, const std::string& ptx_path,
                                const GpuOptions& options) {
  Gpu gpu(options);
  const auto module = gpu.load_file(ptx_path);
  Arguments arguments(gpu.memory());
  CorpusResult result;
  const auto start = std::chrono::steady_clock::now();
  for (const ProgramLaunch& launch : program.launches) {
    std::vector<const void*> pointers;
    for (const corpus::Argument& argument : launch.arguments)
      pointers.push_back(arguments.value_of(argument));
    LaunchRequest request;
    request.kernel = name_in_module(*module, program, launch.kernel);
    request.grid = dim(launch.grid);
    request.block = dim(launch.block);
    request.dynamic_shared_bytes = launch.shared_bytes;
    request.arguments = pointers;
    gpu.options().launch.is_cooperative = launch.is_cooperative;
    try {
      const LaunchReport report = gpu.launch(*module, request);
      result.findings.insert(result.findings.end(), report.findings.begin(), report.findings.end());
      result.completed = result.completed && report.completed;
    } catch (const LaunchError& error) {
      Finding finding;
      finding.kind = FindingKind::launch;
      finding.message = error.what();
      result.findings.push_back(finding);
      result.completed = false;
    }
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace warpwise::simulator::tests
