#include "run.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "../process/process.hpp"
#include "../report/json.hpp"
#include "build.hpp"
#include "student_progress.hpp"
#include "student_record.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

/// A report of an earlier run must not remain if this one writes none. Throws Failure if none can be
/// written.
void clear_report(const std::string& path) {
  if (!std::ofstream(path, std::ios::app)) throw Failure(path + " cannot be written.", wrong_usage);
  std::error_code error;
  if (fs::is_regular_file(path, error)) fs::remove(path, error);
}

/// What the chapter's executable is to do.
Words judging_command(const ChapterFolder& chapter, const Subject& subject, const RunOptions& options,
                      const std::string& report, const std::vector<print::Unpredicted>& open = {}) {
  Words command = {chapter.executable().string(), subject.module.string(), "--device", options.device};
  if (options.n != 0) command.insert(command.end(), {"--n", std::to_string(options.n)});
  const bool names_kernel = !options.kernel.empty() || !subject.implementation;
  const std::string kernel = names_kernel ? options.kernel : subject.implementation->kernel;
  if (!kernel.empty()) command.insert(command.end(), {"--kernel", kernel});
  if (!report.empty()) command.insert(command.end(), {"--report", report});
  if (!options.trace.empty()) command.insert(command.end(), {"--trace", options.trace});
  if (options.shows_lines) command.emplace_back("--lines");
  if (options.is_verbose) command.emplace_back("--verbose");
  for (const print::Unpredicted& one : open)
    command.insert(command.end(), {"--unpredicted", one.kernel + ' ' + one.section + ' ' + one.counted});
  if (!options.line.handed_on.empty()) {
    command.emplace_back("--");
    command.insert(command.end(), options.line.handed_on.begin(), options.line.handed_on.end());
  }
  return command;
}

/// Prints what the compiler has to say; false if the module does not compile.
bool compile_module(const ChapterFolder& chapter, const Subject& subject) {
  const BuildResult build = build_module(chapter, subject);
  std::cout << build.messages << (build.is_built ? "" : "\n");
  if (build.is_built) return true;
  std::cout << shown_path(subject.source) << " does not compile; " << text::error_to_mend(build.messages)
            << '\n'
            << text::signature_advice(build.messages, chapter.contracts(),
                                      shown_path(chapter.contract_file()));
  return false;
}

/// Runs it; the exit status. That nothing could be judged is a failure like others: only what the command
/// line says wrongly is wrong usage.
int judge(const ChapterFolder& chapter, const Words& command) {
  std::cout.flush();
  const process::Result result = process::run({command});
  if (result.signal != 0) throw Failure(chapter.name + " " + result.how_it_ended() + ".");
  return result.status > wrong_usage ? failed : result.status;
}

/// One line where a kernel has become right, or where one that is right was asked for: the command that draws
/// it beside the solution.
void say_what_is_new(const ChapterProgress& progress, const std::vector<KernelProgress>& before,
                     const report::Report& report, const std::string& asked_for) {
  std::string kernel = newly_right(before, progress.kernels());
  if (kernel.empty() && report.is_right(progress.chapter().name, asked_for)) kernel = asked_for;
  if (progress.chapter().has_solution() && !kernel.empty())
    std::cout << "Beside the solution: ./warpwise show " << progress.chapter().short_name() << ' ' << kernel
              << " --beside solution\n";
}

void say_what_is_next(const std::vector<ChapterFolder>& chapters, const ChapterFolder& judged) {
  const std::vector<ChapterProgress> all = progress_of(chapters);
  if (const auto next = next_step(all, judged.name)) {
    std::cout << '\n' << invitation(*next, next->chapter.name == judged.name);
    return;
  }
  std::size_t kernels = 0;
  for (const ChapterProgress& each : all) kernels += each.kernels().size();
  std::cout << '\n' << course_finished_text(kernels);
}

/// The first kernel that is to be written and that the exercise has no longer; empty if it has all.
std::string lacking_kernel(const ChapterFolder& chapter, const report::Report& report) {
  const std::vector<std::string> there = chapter.exercise().kernels();
  for (const report::Kernel& kernel : report.chapters.front().kernels)
    if (kernel.is_exercise && std::find(there.begin(), there.end(), kernel.name) == there.end())
      return kernel.name;
  return {};
}

/// `chapters`: all, of which `chapter` is one; `asked_for`: the kernel that the command names; `status`: of
/// its judgement.
void remember_and_go_on(const std::vector<ChapterFolder>& chapters, const ChapterFolder& chapter,
                        const report::Report& report, const std::string& asked_for, int status,
                        const std::vector<print::Unpredicted>& open) {
  ChapterProgress progress(chapter);
  const std::vector<KernelProgress> before = progress.kernels();
  progress.take(report);
  const std::string lacking = lacking_kernel(chapter, report);
  if (!progress.next() && lacking.empty())
    std::cout << '\n' << chapter_finished_text(chapter, open);
  else
    say_what_is_new(progress, before, report, asked_for);
  if (status != all_well) return;
  if (progress.next() || lacking.empty())
    say_what_is_next(chapters, chapter);
  else
    std::cout << "\nNext: " << shown_path(chapter.exercise_file()) << " has no " << lacking
              << "; bring its skeleton back:\n  ./warpwise reset " << chapter.short_name() << "\n";
}

/// The same for the student's exercise: what it came to is remembered, and if all is well what comes next
/// is said. Nothing that goes wrong with that changes the status. `chapters`: all, of which `chapter` is one.
int judge_exercise(const std::vector<ChapterFolder>& chapters, const ChapterFolder& chapter,
                   const Subject& subject, const RunOptions& options) {
  const fs::path file = chapter.built / "judged.json";
  fs::remove(file);
  const std::vector<print::Unpredicted> open =
      options.shows_counters ? std::vector<print::Unpredicted>() : unpredicted(chapter);
  const int status = judge(chapter, judging_command(chapter, subject, options, file.string(), open));
  if (!fs::exists(file)) return status;
  const report::Report report = report::read_file(file);
  if (!options.report.empty()) report::write_file(options.report, report);
  // Some of the checks alone, or of a file that was saved meanwhile, make no judgement.
  const bool is_same = have_same_code(chapter, chapter.read_anew());
  if (!options.line.handed_on.empty() || !is_same) return status;
  try {
    remember_and_go_on(chapters, chapter, report, options.kernel, status, open);
  } catch (const std::exception& error) {  // the verdict is there, and stands
    std::cout.flush();
    std::cerr << "warpwise: " << error.what() << '\n';
  }
  return status;
}

}  // namespace

void add_device_options(Arguments& arguments, std::string& device, unsigned long long& n,
                        std::string& report) {
  arguments.option("--device", device, "where kernels run: sim, gpu or auto (a GPU if there is one)")
      .one_of(Words{"sim", "gpu", "auto"})
      .shows_default();
  arguments.option("--n", n, "number of elements in the run that is shown").from_to(1ULL, 1ULL << 30);
  arguments.option("--report", report, "write counters and findings to this file, as JSON");
}

void add_arguments(Arguments& arguments, RunOptions& options) {
  arguments.option("chapter", options.chapter, "ch01, ch01_naive or 1").required();
  arguments.flag("--solution", options.uses_solution, "the reference solution, not the exercise");
  arguments
      .option("--attempt", options.attempt,
              "a wrong attempt from a page of kernels/, and what is wrong with it")
      .without("--solution");
  arguments.option("kernel,--kernel", options.kernel, "only this kernel");
  add_device_options(arguments, options.device, options.n, options.report);
  arguments.flag("--lines", options.shows_lines, "what each source line of a kernel costs");
  arguments.flag("--counters", options.shows_counters, "also those that you have not predicted yet");
  arguments.option("--trace", options.trace,
                   "write what each lane did in that run, step by step, to this file, as JSON");
  arguments.flag("--verbose", options.is_verbose, "every failure and finding in full");
  arguments.footer("Anything after -- goes to Catch2, e.g. -- --list-tests");
}

int run(const RunOptions& options) {
  const std::vector<ChapterFolder> chapters = chapters_of_this_clone();
  const ChapterFolder chapter = chapter_named(options.chapter, chapters);
  const Subject subject = subject_of(chapter, options.uses_solution, options.attempt, options.kernel);
  expect_source(chapter, subject);
  expect_kernel(chapter, options.kernel);
  for (const std::string& file : {options.report, options.trace})
    if (!file.empty()) clear_report(file);
  // Read now, before they are compiled: a judgement counts only if they are still the same afterwards.
  chapter.exercise();
  chapter.contract_text();
  if (!compile_module(chapter, subject)) return failed;
  if (subject.implementation) {
    print_attempt(std::cout, *subject.implementation, shown_path(subject.source), print::Paint::for_stdout(),
                  print::lines_for(STDOUT_FILENO));
  } else if (!options.uses_solution) {
    return judge_exercise(chapters, chapter, subject, options);
  }
  return judge(chapter, judging_command(chapter, subject, options, options.report));
}

const RegisterCommand run_command("run", with_options<RunOptions>(add_arguments, run));

}  // namespace warpwise::cli
