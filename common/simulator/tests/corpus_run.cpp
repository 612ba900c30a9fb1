#include <chrono>
#include <cstring>
#include <map>
#include <stdexcept>

#include "corpus_program.hpp"

namespace warpwise::simulator::tests {
namespace {

/// The same values as program.cuh: small, and different at each place.
std::uint32_t random_word(std::uint32_t i) {
  i = (i + 1) * 0x9E3779B9u;
  i = (i ^ (i >> 16)) * 0x85EBCA6Bu;
  return (i ^ (i >> 13)) & 0xffffu;
}

template <class T>
void fill(std::byte* to, std::size_t count, const std::string& content) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto place = static_cast<std::uint32_t>(i);
    const auto value = static_cast<T>(content == "zero" ? 0 : content == "iota" ? place : random_word(place));
    std::memcpy(to + i * sizeof(T), &value, sizeof(T));
  }
}

std::uint32_t bytes_of_type(const std::string& type) {
  const auto parsed = ptx::type_from(type);
  if (!parsed) throw std::runtime_error("no such type: " + type);
  return ptx::bytes_of(*parsed);
}

void fill(std::byte* to, std::size_t count, const std::string& type, const std::string& content) {
  if (type == "f32")
    fill<float>(to, count, content);
  else if (type == "f64")
    fill<double>(to, count, content);
  else if (bytes_of_type(type) == 1)
    fill<std::uint8_t>(to, count, content);
  else if (bytes_of_type(type) == 2)
    fill<std::uint16_t>(to, count, content);
  else if (bytes_of_type(type) == 4)
    fill<std::uint32_t>(to, count, content);
  else
    fill<std::uint64_t>(to, count, content);
}

/// Buffers and scalars by name; every value has 8 bytes, of which the kernel takes as many as it declares.
class Arguments {
 public:
  explicit Arguments(machine::GlobalMemory& memory) : memory_(memory) {}

  std::uint64_t* value_of(const std::string& text) {
    const std::size_t colon = text.find(':');
    const std::string name = text.substr(0, colon);
    if (colon != std::string::npos) values_[name] = make(name, text.substr(colon + 1));
    const auto found = values_.find(name);
    if (found == values_.end()) throw std::runtime_error("no such buffer: " + text);
    return &found->second;
  }

 private:
  std::uint64_t make(const std::string& name, const std::string& text) {
    const std::size_t colon = text.find(':'), bracket = text.find('[');
    const std::string type = text.substr(0, std::min(colon, bracket)), content = text.substr(colon + 1);
    if (bracket > colon) return static_cast<std::uint64_t>(std::stoll(content));
    if (content == "null") return 0;
    const std::size_t count = std::stoul(text.substr(bracket + 1));
    const std::uint32_t element = bytes_of_type(type);
    machine::Allocation& allocation = memory_.allocate(count * element, name, element);
    const std::uint64_t base = allocation.base;
    if (content == "freed")
      memory_.release(base);
    else if (content != "poison") {
      fill(allocation.storage.get(), count, type, content);
      allocation.mark_written(0, count * element);
    }
    return base;
  }

  machine::GlobalMemory& memory_;
  std::map<std::string, std::uint64_t> values_;  ///< addresses stay: the launch points at them
};

/// As the Itanium C++ ABI writes a name: "4half".
std::string mangled(const std::string& name) { return std::to_string(name.size()) + name; }

/// The module's name of a kernel that the source calls `name` or `name<...>`, in the program's namespace.
std::string name_in_module(const machine::Program& module, const CorpusProgram& program,
                           const std::string& name) {
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
    for (const std::string& argument : launch.arguments) pointers.push_back(arguments.value_of(argument));
    machine::LaunchRequest request;
    request.kernel = name_in_module(*module, program, launch.kernel);
    request.grid = launch.grid;
    request.block = launch.block;
    request.dynamic_shared_bytes = launch.shared_bytes;
    request.arguments = pointers;
    gpu.options().launch.is_cooperative = launch.is_cooperative;
    try {
      const LaunchReport report = gpu.launch(*module, request);
      result.findings.insert(result.findings.end(), report.findings.begin(), report.findings.end());
      result.completed = result.completed && report.completed;
    } catch (const machine::LaunchError& error) {
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
