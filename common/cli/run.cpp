#include <algorithm>
#include <cstring>
#include <fstream>
#include <iostream>

#include "build.hpp"
#include "chapters.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "process.hpp"
#include "suggestion.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

/// What is run: the source, its target in the build, its module.
struct Subject {
  fs::path source;
  std::string target;
  fs::path module;
};

Subject subject_of(const RunOptions& options, const Chapter& chapter) {
  if (options.attempt.empty()) {
    const std::string name = options.uses_solution ? "solution" : "exercise";
    return {chapter.folder / (name + ".cu"), chapter.name + "." + name, chapter.built / (name + ".ptx")};
  }
  const std::string name = fs::path(options.attempt).stem().string();
  const auto attempts = attempts_of(chapter);
  if (std::find(attempts.begin(), attempts.end(), name) == attempts.end()) {
    throw Failure("there is no attempt '" + name + "' in " + chapter.name + suggestion(name, attempts),
                  wrong_usage);
  }
  return {chapter.folder / "attempts" / (name + ".cu"), chapter.name + ".attempt." + name,
          chapter.built / "attempts" / (name + ".ptx")};
}

/// No report of an earlier run may stand where this one writes none. Throws Failure where none can be
/// written.
void clear_report(const std::string& path) {
  if (!std::ofstream(path, std::ios::app)) throw Failure(path + " cannot be written.", wrong_usage);
  std::error_code error;
  if (fs::is_regular_file(path, error)) fs::remove(path, error);
}

/// An attempt holds one kernel: the one that its first line, "// rejected by: KERNEL: ...", is about.
std::string kernel_of_attempt(const fs::path& source) {
  const std::string text = read_text(source);
  const std::string_view line = std::string_view(text).substr(0, text.find('\n'));
  constexpr std::string_view prefix = "// rejected by: ";
  if (!line.starts_with(prefix)) return {};
  const std::string_view rest = line.substr(prefix.size());
  return std::string(rest.substr(0, std::min(rest.find(':'), rest.size())));
}

}  // namespace

int run(const RunOptions& options) {
  const Chapter chapter = chapter_named(options.chapter);
  const Subject subject = subject_of(options, chapter);
  if (!fs::exists(subject.source)) {
    throw Failure(shown(subject.source) + " is missing; ./warpwise reset " + chapter.name.substr(0, 4) +
                  " brings the skeleton back.");
  }
  if (!options.report.empty()) clear_report(options.report);
  if (const std::string messages = build_targets({chapter.name, subject.target}); !messages.empty()) {
    std::cout << messages << "\n"
              << shown(subject.source) << " does not compile; the first error is the one to mend.\n";
    return failed;
  }

  std::vector<std::string> command = {chapter.executable().string(), subject.module.string(), "--device",
                                      options.device};
  if (options.n != 0) command.insert(command.end(), {"--n", std::to_string(options.n)});
  const bool names_kernel = !options.kernel.empty() || options.attempt.empty();
  const std::string kernel = names_kernel ? options.kernel : kernel_of_attempt(subject.source);
  if (!kernel.empty()) command.insert(command.end(), {"--kernel", kernel});
  if (!options.report.empty()) command.insert(command.end(), {"--report", options.report});
  if (options.is_verbose) command.emplace_back("--verbose");
  if (!options.more.empty()) {
    command.emplace_back("--");
    command.insert(command.end(), options.more.begin(), options.more.end());
  }

  const ProcessResult result = run_process(command);
  if (result.signal != 0) {
    throw Failure(chapter.name + " was ended by signal " + std::to_string(result.signal) + " (" +
                  strsignal(result.signal) + ").");
  }
  return result.status;
}

}  // namespace warpwise::cli
