#include <iostream>
#include <optional>

#include "../harness/functions.hpp"
#include "../harness/temporary_folder.hpp"
#include "../print/show.hpp"
#include "../report/json.hpp"
#include "bench_figures.hpp"
#include "build.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "module_build.hpp"
#include "page_file.hpp"
#include "process.hpp"
#include "standing.hpp"
#include "subject.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

/// One kernel to be recorded.
struct Shown {
  Chapter chapter;
  Subject subject;
  std::string kernel;
  std::string name() const {  // "ch03_bank_conflicts/solution.cu: reduce_sequential"
    return (subject.attempt ? chapter.name + "/" + subject.attempt->name
                            : chapter.name + "/" + subject.source.filename().string()) +
           ": " + kernel;
  }
};

void build(const Shown& shown_kernel) {
  const Subject& subject = shown_kernel.subject;
  expect_source(shown_kernel.chapter, subject);
  const BuildResult build = build_targets({shown_kernel.chapter.name, subject.target});
  if (!build.is_built)
    throw Failure(build.messages + "\n" + shown(subject.source) + " does not compile; " +
                  error_to_mend(build.messages));
}

/// Of the exercise the first that is written and not right, if there is one; else the chapter's first.
std::string kernel_to_look_at(const Chapter& chapter, bool is_exercise) {
  const std::string in_question = is_exercise ? kernel_in_question(standings_of(chapter)) : "";
  if (!in_question.empty()) return in_question;
  const std::string list = capture_process({chapter.executable().string(), "--list"}).output;
  return report::report_from(list).chapters.at(0).kernels.at(0).name;
}

/// What `show CHAPTER [KERNEL] ...` names, built.
Shown main_kernel(const ShowOptions& options) {
  Shown found{chapter_named(options.chapter), {}, options.kernel};
  expect_kernel(found.chapter, found.kernel);
  found.subject = options.accepted.empty() ? subject_of(found.chapter, options.uses_solution, options.attempt)
                                           : accepted_subject(found.chapter, options.accepted);
  build(found);
  if (found.kernel.empty())
    found.kernel = found.subject.attempt ? found.subject.attempt->kernel
                                         : kernel_to_look_at(found.chapter, !options.uses_solution);
  return found;
}

/// What `--beside` names, built: "solution", of the same kernel, or "CHAPTER:KERNEL", of that solution.
Shown kernel_beside(const std::string& words, const Shown& main) {
  const std::size_t colon = words.find(':');
  if (words != "solution" && (colon == words.npos || colon + 1 == words.size()))
    throw Failure("--beside is CHAPTER:KERNEL, as ch02:reduce_contiguous, or solution; not '" + words + "'",
                  wrong_usage);
  Shown found = main;
  if (words != "solution") {
    found.chapter = chapter_named(words.substr(0, colon));
    found.kernel = words.substr(colon + 1);
  }
  found.subject = subject_of(found.chapter, true, {});
  build(found);
  return found;
}

/// A skeleton that does not touch memory yet would be drawn as its closing brace. Throws Failure.
void expect_something_to_draw(const Shown& kernel, const report::TraceFile& traces) {
  const bool is_exercise = kernel.subject.source == kernel.chapter.exercise();
  if (!is_exercise || !harness::is_skeleton(read_text(kernel.subject.source), kernel.kernel)) return;
  for (const report::TracedLaunch& launch : traces.launches)
    for (const simulator::TraceStep& step : launch.trace.steps)
      if (!step.accesses.empty()) return;
  const bool has_solution = fs::exists(kernel.chapter.solution());
  throw Failure(kernel.kernel + " in " + shown(kernel.subject.source) +
                " is not written yet, so there is nothing to draw" +
                (has_solution ? "; what it is to become: ./warpwise show " +
                                    kernel.chapter.name.substr(0, 4) + " " + kernel.kernel + " --solution"
                              : "."));
}

/// Runs the kernel on the simulated GPU.
report::TraceFile record(const Shown& kernel, const ShowOptions& options) {
  const harness::TemporaryFolder folder;  // its own: another run may be at it
  const fs::path file = folder.path() / "trace.json";
  std::vector<std::string> command = {kernel.chapter.executable().string(),
                                      kernel.subject.module.string(),
                                      "--device",
                                      "sim",
                                      "--no-checks",
                                      "--kernel",
                                      kernel.kernel,
                                      "--block",
                                      std::to_string(options.block),
                                      "--schedule",
                                      options.schedule,
                                      "--trace",
                                      file.string()};
  if (options.n != 0) command.insert(command.end(), {"--n", std::to_string(options.n)});
  const ProcessResult result = capture_process(command);
  if (result.signal != 0)
    throw Failure(kernel.name() + " could not be recorded: " + kernel.chapter.name + " was ended by signal " +
                  std::to_string(result.signal) + ".");
  if (result.status != 0)  // it has said why, in one sentence
    throw Failure(result.output.substr(0, result.output.find_last_not_of('\n') + 1),
                  result.status == wrong_usage ? wrong_usage : failed);
  report::TraceFile traces = report::read_trace_file(file);
  expect_something_to_draw(kernel, traces);
  return traces;
}

/// Where the page or picture goes if nobody says.
fs::path usual_file(const Shown& kernel, const std::string& ending) {
  const std::string variant = kernel.subject.attempt
                                  ? kernel.subject.attempt->name
                                  : kernel.kernel + "_" + kernel.subject.source.stem().string();
  return build_folder() / "show" / (kernel.chapter.name.substr(0, 4) + "_" + variant + ending);
}

const report::TracedLaunch& only_launch(const report::TraceFile& traces) {
  if (traces.launches.empty()) throw Failure("No launch was recorded.");
  return traces.launches.front();
}

/// What `bench` measured of the kernel, as HTML: from the file that was named, else what it measured last of
/// this source; empty where there is nothing.
std::string measured_html(const Shown& kernel, const ShowOptions& options) {
  std::optional<report::BenchReport> found;
  if (!options.bench.empty()) {
    found = figures_of(report::read_bench(bench_file(options.bench)), kernel.chapter.name, kernel.kernel);
    if (!found) throw Failure(options.bench + " has no figures of " + kernel.kernel + ".");
  } else if (!kernel.subject.attempt && options.accepted.empty()) {
    const std::string kind = options.uses_solution ? "solution" : "exercise";
    found = kept_figures_of(kept_figures_file(kernel.chapter.built, kind), kernel.subject.source,
                            kernel.chapter.name, kernel.kernel);
  }
  return found ? print::figures_html(*found) : "";
}

void draw_picture(const Shown& kernel, const ShowOptions& options) {
  const report::TraceFile run = record(kernel, options);
  std::optional<report::TraceFile> beside;
  if (!options.beside.empty()) beside = record(kernel_beside(options.beside, kernel), options);
  const fs::path file =
      options.output.empty() ? usual_file(kernel, "_" + options.view + ".svg") : fs::path(options.output);
  present_page(std::cout, kernel.name(),
               print::picture_of(options.view, only_launch(run), options.moment, options.command,
                                 beside ? &only_launch(*beside) : nullptr),
               file);
}

}  // namespace

int show(const ShowOptions& options) {
  if (!options.bench.empty() && (options.is_text || !options.view.empty()))
    throw Failure("--bench is for the page: a text and a picture show the run alone.", wrong_usage);
  const Shown kernel = main_kernel(options);
  if (options.is_text) {
    const report::TraceFile traces = record(kernel, options);
    for (const report::TracedLaunch& launch : traces.launches)
      print::print_text(std::cout, launch, options.moment);
    return all_well;
  }
  if (!options.view.empty()) {
    draw_picture(kernel, options);
    return all_well;
  }
  std::vector<Shown> shown = {kernel};  // first all that may not be there, then what takes time
  if (!options.beside.empty()) shown.push_back(kernel_beside(options.beside, kernel));
  std::vector<print::NamedRun> runs;
  for (const Shown& each : shown) runs.push_back({each.name(), record(each, options)});
  const fs::path file = options.output.empty() ? usual_file(kernel, ".html") : fs::path(options.output);
  const std::string start =
      options.moment.is_open() ? "" : print::address_of(only_launch(runs[0].traces), options.moment);
  present_page(std::cout, kernel.name(),
               print::page_of(kernel.kernel, runs, start, measured_html(kernel, options)), file,
               options.is_opened);
  return all_well;
}

}  // namespace warpwise::cli
