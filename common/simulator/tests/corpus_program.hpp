#pragma once
/// \file A program of the corpus. Of it, common/testing/annotated_program.hpp reads what must be found; how
/// its kernels are launched, its own last line says:
///
///     const LaunchingProgram program("NAME", {{kernel, "grid=4 block=128 args=..."}});
///
/// Launches run one after the other; corpus/launch_text.hpp has the words.

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../gpu.hpp"
#include "common/testing/annotated_program.hpp"
#include "corpus/launch_text.hpp"

namespace warpwise::simulator::tests {

using testing::AnnotatedProgram;
using testing::ExpectedFinding;

struct ProgramLaunch : corpus::LaunchText {
  std::string kernel;  ///< as the source writes it, in the program's namespace: `name`, `name<128>`
};

struct CorpusProgram : AnnotatedProgram {
  std::vector<ProgramLaunch> launches;
};

/// Reads `const LaunchingProgram program("NAME", {{kernel, "launch"}, ...});` of a program's source to its
/// last character.
class LaunchReader {
 public:
  LaunchReader(const std::string& source, const std::string& name) : rest_(source) {
    constexpr std::string_view begin = "const LaunchingProgram program(";
    const std::size_t at = rest_.find(begin);
    if (at == rest_.npos) throw std::runtime_error("needs a LaunchingProgram");
    rest_.remove_prefix(at + begin.size());
    if (const std::string called = literal(); called != name)
      throw std::runtime_error("the program is called " + called);
  }

  std::vector<ProgramLaunch> read() {
    std::vector<ProgramLaunch> launches;
    expect(",");
    expect("{");
    do {
      expect("{");
      ProgramLaunch launch;
      launch.kernel = kernel();
      expect(",");
      static_cast<corpus::LaunchText&>(launch) = corpus::read_launch(literal());
      expect("}");
      launches.push_back(launch);
    } while (accept(","));
    expect("});");
    if (rest_.find("LaunchingProgram") != rest_.npos) throw std::runtime_error("has two LaunchingPrograms");
    return launches;
  }

 private:
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
  bool accept(std::string_view text) {
    skip_blanks();
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void expect(std::string_view text) {
    if (!accept(text))
      throw std::runtime_error("cannot read the launch at `" +
                               std::string(rest_.substr(0, rest_.find('\n'))) + "`");
  }

  /// `name` or `name<...>`.
  std::string kernel() {
    skip_blanks();
    std::size_t length = 0, depth = 0;
    for (; length < rest_.size() && (depth > 0 || rest_[length] != ','); ++length) {
      const char each = rest_[length];
      const bool closes = each == '>' && depth > 0;
      depth += each == '<';
      depth -= closes;
      if (depth == 0 && !closes && each != '_' && !std::isalnum(static_cast<unsigned char>(each))) break;
    }
    std::string name(rest_.substr(0, length));
    rest_.remove_prefix(length);
    if (name.empty()) expect("the name of a kernel");
    return name;
  }

  /// Literals that stand side by side, joined.
  std::string literal() {
    std::string text;
    expect("\"");
    do {
      const std::size_t end = rest_.find('"');
      if (end == rest_.npos) expect("\"");
      text += rest_.substr(0, end);
      rest_.remove_prefix(end + 1);
    } while (accept("\""));
    return text;
  }

  std::string_view rest_;
};

/// The programs of a file. Throws std::runtime_error with path and line where a header is not as above, or
/// incomplete.
inline std::vector<CorpusProgram> read_corpus_file(const std::string& path) {
  std::vector<CorpusProgram> programs;
  for (const AnnotatedProgram& annotated : testing::read_annotated_file(path).programs) {
    const std::string name = path + ": " + annotated.name;
    for (const ExpectedFinding& finding : annotated.findings)
      for (const std::string& kind : finding.kinds)
        if (!finding_kind_named(kind)) throw std::runtime_error(name + ": no such kind of finding: " + kind);
    if (annotated.why.empty()) throw std::runtime_error(name + ": needs `why:` above it");
    try {
      programs.push_back({annotated, LaunchReader(annotated.source, annotated.name).read()});
    } catch (const std::exception& error) {
      throw std::runtime_error(name + ": " + error.what());
    }
  }
  return programs;
}

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

inline Dim3 dim(const unsigned (&sizes)[3]) { return {sizes[0], sizes[1], sizes[2]}; }

/// As the Itanium C++ ABI writes a name: "4half".
inline std::string mangled(const std::string& name) { return std::to_string(name.size()) + name; }

/// The module's name of a kernel that the source calls `name` or `name<...>`, in the program's namespace.
inline std::string name_in_module(const Program& module, const CorpusProgram& program,
                                  const std::string& name) {
  const std::string part = mangled(program.name) + mangled(name.substr(0, name.find('<')));
  for (const std::string& candidate : module.kernel_names()) {
    if (candidate.find(part) != std::string::npos) return candidate;
  }
  throw std::runtime_error(program.name + " has no kernel " + name);
}

struct CorpusResult {
  std::vector<LaunchReport> launches;  ///< without those that were refused
  std::vector<Finding> findings;       ///< of all
  bool completed = true;
  double seconds = 0;  ///< of the host, all launches
};

/// Loads the module at `path` and does the launches of `program`, which stands there. A refused launch
/// becomes a finding of kind launch, line 0. Throws ptx::Error where the module cannot be read.
inline CorpusResult run_corpus_module(const CorpusProgram& program, const std::string& path,
                                      const GpuOptions& options) {
  Gpu gpu(options);
  const auto module = gpu.load_file(path);
  Arguments arguments(gpu.memory());
  CorpusResult result;
  const auto start = std::chrono::steady_clock::now();
  for (const ProgramLaunch& launch : program.launches) {
    std::vector<const void*> pointers;
    for (const corpus::Argument& argument : launch.arguments)
      pointers.push_back(arguments.value_of(argument));
    const LaunchRequest request = {name_in_module(*module, program, launch.kernel), dim(launch.grid),
                                   dim(launch.block), launch.shared_bytes, pointers};
    gpu.options().launch.is_cooperative = launch.is_cooperative;
    try {
      const LaunchReport report = gpu.launch(*module, request);
      result.findings.insert(result.findings.end(), report.findings.begin(), report.findings.end());
      result.completed = result.completed && report.completed;
      result.launches.push_back(report);
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

/// The same of the module of `file`, such as "wrong/masks".
inline CorpusResult run_corpus_program(const CorpusProgram& program, const std::string& file,
                                       const GpuOptions& options) {
  return run_corpus_module(program, WARPWISE_CORPUS_PTX_DIR "/" + file + ".ptx", options);
}

/// A program and the file that it stands in, as "wrong/masks".
struct CorpusEntry {
  CorpusProgram program;
  std::string file;
};

/// Of all files in the folder `wrong` or `right`, in their order.
inline std::vector<CorpusEntry> programs_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(WARPWISE_CORPUS_DIR "/" + folder))
    if (entry.path().extension() == ".cu") files.push_back(folder + "/" + entry.path().stem().string());
  std::sort(files.begin(), files.end());
  std::vector<CorpusEntry> entries;
  for (const std::string& file : files)
    for (const CorpusProgram& program : read_corpus_file(WARPWISE_CORPUS_DIR "/" + file + ".cu"))
      entries.push_back({program, file});
  return entries;
}

/// A budget that ends an endless loop well within a second; the right programs need a thousandth.
inline GpuOptions corpus_options() {
  GpuOptions options;
  options.launch.threads = 2;
  options.launch.budget = 4'000'000;
  return options;
}

}  // namespace warpwise::simulator::tests
