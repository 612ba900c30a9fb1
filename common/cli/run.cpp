#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iostream>

#include "attempts.hpp"
#include "chapters.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "finished.hpp"
#include "module_build.hpp"
#include "process.hpp"
#include "standing.hpp"
#include "subject.hpp"

#include "../harness/contract.hpp"
#include "../report/json.hpp"

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

/// What the chapter's executable is to do.
std::vector<std::string> command_for(const Chapter& chapter, const Subject& subject,
                                     const RunOptions& options, const std::string& report) {
  std::vector<std::string> command = {chapter.executable().string(), subject.module.string(), "--device",
                                      options.device};
  if (options.n != 0) command.insert(command.end(), {"--n", std::to_string(options.n)});
  const bool names_kernel = !options.kernel.empty() || !subject.attempt;
  const std::string kernel = names_kernel ? options.kernel : subject.attempt->kernel;
  if (!kernel.empty()) command.insert(command.end(), {"--kernel", kernel});
  if (!report.empty()) command.insert(command.end(), {"--report", report});
  if (!options.trace.empty()) command.insert(command.end(), {"--trace", options.trace});
  if (options.shows_lines) command.emplace_back("--lines");
  if (options.is_verbose) command.emplace_back("--verbose");
  if (!options.more.empty()) {
    command.emplace_back("--");
    command.insert(command.end(), options.more.begin(), options.more.end());
  }
  return command;
}

/// Prints what nvcc has to say; false where the module does not compile.
bool compile(const Chapter& chapter, const Subject& subject) {
  const ModuleBuild build = build_module({chapter.name, subject.target}, subject.module, subject.source);
  std::cout << build.messages << (build.is_built ? "" : "\n");
  if (build.is_built) return true;
  const fs::path contract = chapter.folder / "kernels.hpp";
  const std::string advice = harness::signature_advice(build.messages, read_text(contract), shown(contract));
  std::cout << shown(subject.source) << " does not compile; " << error_to_mend(build.messages) << '\n'
            << advice;
  return false;
}

/// Runs it; the exit status. That nothing could be judged is a failure like others: only what the command
/// line says wrongly is wrong usage.
int judge(const Chapter& chapter, const std::vector<std::string>& command) {
  std::cout.flush();
  const ProcessResult result = run_process(command);
  if (result.signal != 0) {
    throw Failure(chapter.name + " was ended by signal " + std::to_string(result.signal) + " (" +
                  strsignal(result.signal) + ").");
  }
  return result.status > wrong_usage ? failed : result.status;
}

/// One line where a kernel has become right: the command that draws it beside the solution.
void say_what_is_new(const Chapter& chapter, const std::vector<KernelStanding>& before) {
  if (!fs::exists(chapter.solution())) return;
  const std::string kernel = newly_right(before, standings_of(chapter));
  if (!kernel.empty())
    std::cout << "Beside the solution: ./warpwise show " << chapter.name.substr(0, 4) << ' ' << kernel
              << " --beside solution\n";
}

void say_what_is_next(const Chapter& chapter) {
  const std::vector<Chapter> chapters = chapters_of_this_clone();
  if (const auto next = next_step(chapters, chapter.name)) {
    std::cout << '\n' << invitation(*next, next->chapter.name == chapter.name);
    return;
  }
  std::size_t kernels = 0;
  for (const Chapter& each : chapters) kernels += standings_of(each).size();
  std::cout << '\n' << course_finished_text(kernels);
}

/// The same for the student's exercise: what it came to is remembered, and where all is well what comes next
/// is said.
int judge_exercise(const Chapter& chapter, const Subject& subject, const RunOptions& options,
                   const std::string& fingerprint) {
  const fs::path file = chapter.built / "judged.json";
  fs::remove(file);
  const int status = judge(chapter, command_for(chapter, subject, options, file.string()));
  if (!fs::exists(file)) return status;
  const report::Report report = report::read_file(file);
  if (!options.report.empty()) report::write_file(options.report, report);
  // Some of the checks alone, or of a file that was saved meanwhile, make no judgement.
  if (!options.more.empty() || fingerprint_of(chapter) != fingerprint) return status;
  const std::vector<KernelStanding> before = standings_of(chapter);
  remember(chapter, report);
  const bool is_done = !next_kernel(chapter);
  if (is_done)
    std::cout << '\n' << finish(chapter);
  else
    say_what_is_new(chapter, before);
  if (status == all_well) say_what_is_next(chapter);
  return status;
}

}  // namespace

int run(const RunOptions& options) {
  const Chapter chapter = chapter_named(options.chapter);
  const Subject subject = subject_of(chapter, options.uses_solution, options.attempt);
  expect_source(chapter, subject);
  expect_kernel(chapter, options.kernel);
  for (const std::string& file : {options.report, options.trace})
    if (!file.empty()) clear_report(file);
  const std::string fingerprint = fingerprint_of(chapter);
  if (!compile(chapter, subject)) return failed;
  if (subject.attempt) {
    print_attempt(std::cout, *subject.attempt, shown(subject.source), print::Paint::for_stdout(),
                  print::lines_for(STDOUT_FILENO));
  } else if (!options.uses_solution) {
    return judge_exercise(chapter, subject, options, fingerprint);
  }
  return judge(chapter, command_for(chapter, subject, options, options.report));
}

}  // namespace warpwise::cli
