#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>

#include "attempts.hpp"
#include "build.hpp"
#include "chapters.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "process.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

/// What is run: the source, its target in the build, its module; an attempt, where it is one.
struct Subject {
  fs::path source;
  std::string target;
  fs::path module;
  std::optional<harness::AttemptText> attempt = std::nullopt;
};

Subject subject_of(const RunOptions& options, const Chapter& chapter) {
  if (options.attempt.empty()) {
    const std::string name = options.uses_solution ? "solution" : "exercise";
    return {chapter.folder / (name + ".cu"), chapter.name + "." + name, chapter.built / (name + ".ptx")};
  }
  const harness::AttemptText attempt = attempt_named(fs::path(options.attempt).stem().string(), chapter);
  const fs::path folder = chapter.built / "attempts";
  return {folder / (attempt.name + ".cu"), chapter.name + ".attempt." + attempt.name,
          folder / (attempt.name + ".ptx"), attempt};
}

/// No report of an earlier run may stand where this one writes none. Throws Failure where none can be
/// written.
void clear_report(const std::string& path) {
  if (!std::ofstream(path, std::ios::app)) throw Failure(path + " cannot be written.", wrong_usage);
  std::error_code error;
  if (fs::is_regular_file(path, error)) fs::remove(path, error);
}

}  // namespace

int run(const RunOptions& options) {
  const Chapter chapter = chapter_named(options.chapter);
  const Subject subject = subject_of(options, chapter);
  if (!subject.attempt && !fs::exists(subject.source)) {
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
  const bool names_kernel = !options.kernel.empty() || !subject.attempt;
  const std::string kernel = names_kernel ? options.kernel : subject.attempt->kernel;
  if (!kernel.empty()) command.insert(command.end(), {"--kernel", kernel});
  if (!options.report.empty()) command.insert(command.end(), {"--report", options.report});
  if (options.is_verbose) command.emplace_back("--verbose");
  if (!options.more.empty()) {
    command.emplace_back("--");
    command.insert(command.end(), options.more.begin(), options.more.end());
  }

  if (subject.attempt) {
    print_attempt(std::cout, *subject.attempt, shown(subject.source), harness::Paint::for_stdout());
    std::cout.flush();
  }
  const ProcessResult result = run_process(command);
  if (result.signal != 0) {
    throw Failure(chapter.name + " was ended by signal " + std::to_string(result.signal) + " (" +
                  strsignal(result.signal) + ").");
  }
  return result.status;
}

}  // namespace warpwise::cli
