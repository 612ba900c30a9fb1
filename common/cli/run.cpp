#include <cstring>
#include <fstream>
#include <iostream>

#include "attempts.hpp"
#include "build.hpp"
#include "chapters.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "process.hpp"
#include "subject.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

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
  const Subject subject = subject_of(chapter, options.uses_solution, options.attempt);
  expect_source(chapter, subject);
  for (const std::string& file : {options.report, options.trace})
    if (!file.empty()) clear_report(file);
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
  if (!options.trace.empty()) command.insert(command.end(), {"--trace", options.trace});
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
