#include "show.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <iostream>
#include <optional>

#include "../print/bench.hpp"
#include "../print/recorded_run.hpp"
#include "../process/process.hpp"
#include "../report/json.hpp"
#include "../text/files.hpp"
#include "bench_run.hpp"
#include "build.hpp"
#include "student_progress.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

/// One kernel to be recorded.
struct Shown {
  ChapterFolder chapter;
  Subject subject;
  std::string kernel;
  std::string name() const {  // "ch03_bank_conflicts/solution.cu: reduce_sequential"
    return (subject.implementation ? chapter.name + "/" + subject.implementation->name
                                   : chapter.name + "/" + subject.source.filename().string()) +
           ": " + kernel;
  }
};

/// Of the exercise the first that is written and not right, if there is one; else the chapter's first.
std::string kernel_to_look_at(const ChapterFolder& chapter, bool is_exercise) {
  const std::string in_question = is_exercise ? ChapterProgress(chapter).kernel_in_question() : "";
  if (!in_question.empty()) return in_question;
  return declared_by(chapter).chapters.at(0).kernels.at(0).name;
}

/// What `show CHAPTER [KERNEL] ...` names, built.
Shown main_kernel(const ShowOptions& options) {
  Shown found{chapter_named(options.chapter), {}, options.kernel};
  expect_kernel(found.chapter, found.kernel);
  found.subject = options.accepted.empty()
                      ? subject_of(found.chapter, options.uses_solution, options.attempt, options.kernel)
                      : accepted_subject(found.chapter, options.accepted);
  build_or_fail(found.chapter, found.subject);
  if (found.kernel.empty())
    found.kernel = found.subject.implementation ? found.subject.implementation->kernel
                                                : kernel_to_look_at(found.chapter, !options.uses_solution);
  return found;
}

/// What `--beside` names, built: "solution", of the same kernel, or "CHAPTER:KERNEL", of that solution.
Shown kernel_beside(const std::string& words, const Shown& main) {
  const std::size_t colon = words.find(':');
  if (words != "solution" && (colon == words.npos || colon + 1 == words.size()))
    throw Failure(
        "--beside is CHAPTER:KERNEL, such as ch02:reduce_contiguous, or solution; not '" + words + "'",
        wrong_usage);
  Shown found = main;
  if (words != "solution") {
    found.chapter = chapter_named(words.substr(0, colon));
    found.kernel = words.substr(colon + 1);
  }
  found.subject = subject_of(found.chapter, true, {}, found.kernel);
  build_or_fail(found.chapter, found.subject);
  return found;
}

/// A skeleton that does not touch memory yet would be drawn as its closing brace. Throws Failure.
void expect_something_to_draw(const Shown& kernel, const report::TraceFile& traces) {
  const bool is_exercise = kernel.subject.source == kernel.chapter.exercise_file();
  if (!is_exercise || !kernel.chapter.exercise().is_skeleton(kernel.kernel)) return;
  for (const report::TracedLaunch& launch : traces.launches)
    for (const simulator::TraceStep& step : launch.trace.steps)
      if (!step.accesses.empty()) return;
  const bool has_solution = kernel.chapter.has_solution();
  throw Failure(kernel.kernel + " in " + shown_path(kernel.subject.source) +
                " is not written yet, so there is nothing to draw" +
                (has_solution ? "; what it is to become: ./warpwise show " + kernel.chapter.short_name() +
                                    " " + kernel.kernel + " --solution"
                              : "."));
}

/// Whether its checks reject it, as far as that is known: they reject every attempt, and of the exercise what
/// `run` has called wrong.
bool is_rejected(const Shown& kernel) {
  if (kernel.subject.implementation) return !kernel.subject.implementation->is_right();
  if (kernel.subject.source != kernel.chapter.exercise_file()) return false;
  const ChapterProgress progress(kernel.chapter);
  return std::any_of(progress.kernels().begin(), progress.kernels().end(), [&](const KernelProgress& one) {
    return one.kernel == kernel.kernel && one.state == KernelState::wrong;
  });
}

/// Runs the kernel on the simulated GPU: where nothing is said of the launch, as a check does that rejects
/// it.
report::TraceFile record(const Shown& kernel, const ShowOptions& options) {
  const text::TemporaryFolder folder;  // its own: another run may be at it
  const fs::path file = folder.path() / "trace.json";
  const bool is_open = options.n == 0 && options.block == 0 && options.schedule.empty();
  Words command = launch_command(
      kernel.chapter, kernel.subject,
      {.kernel = kernel.kernel, .n = options.n, .block = options.block == 0 ? 64 : options.block});
  if (!options.schedule.empty()) command.insert(command.end(), {"--schedule", options.schedule});
  if (is_open && is_rejected(kernel)) command.emplace_back("--rejected");
  command.insert(command.end(), {"--trace", file.string()});
  const process::Result result = process::run({.words = command, .keeps = process::Keeps::all});
  if (result.signal != 0)
    throw Failure(kernel.name() + " could not be recorded: " + kernel.chapter.name + " " +
                  result.how_it_ended() + ".");
  if (result.status != 0)  // it has said why, in one sentence
    throw Failure(result.output.substr(0, result.output.find_last_not_of('\n') + 1),
                  result.status == wrong_usage ? wrong_usage : failed);
  report::TraceFile traces = report::read_trace_file(file);
  expect_something_to_draw(kernel, traces);
  return traces;
}

/// The same sizes and order for a run that is to stand beside one that the checks have chosen.
ShowOptions like(const report::TracedLaunch& launch, ShowOptions options) {
  if (launch.rejected.empty()) return options;
  const unsigned block = launch.launch.report.block[0];
  options.n = launch.launch.elements;
  options.schedule = launch.trace.schedule;
  if (block >= 32 && block <= 1024 && std::has_single_bit(block)) options.block = block;
  return options;
}

/// "ch01_reduce_naive_solution"
std::string name_of_file(const Shown& kernel) {
  const std::string variant = kernel.subject.implementation
                                  ? kernel.subject.implementation->name
                                  : kernel.kernel + "_" + kernel.subject.source.stem().string();
  return kernel.chapter.short_name() + "_" + variant;
}

/// The one that shows the moment best.
std::size_t launch_of(const report::TraceFile& traces, const print::Moment& moment) {
  if (traces.launches.empty()) throw Failure("No launch was recorded.");
  return print::launch_with(traces, moment);
}

/// What `bench` measured of the kernel, as HTML: from the file that was named, else what it measured last of
/// this source; empty if there is nothing.
std::string measured_html(const Shown& kernel, const ShowOptions& options) {
  std::optional<report::BenchReport> found;
  if (!options.bench.empty()) {
    found = figures_of(report::read_bench(bench_file(options.bench)), kernel.chapter.name, kernel.kernel);
    if (!found) throw Failure(options.bench + " has no figures of " + kernel.kernel + ".");
  } else if (!kernel.subject.implementation && options.accepted.empty()) {
    const std::string kind = options.uses_solution ? "solution" : "exercise";
    found = kept_figures_of(kept_figures_file(kernel.chapter.built, kind), kernel.subject.source,
                            kernel.chapter.name, kernel.kernel);
  }
  return found ? print::figures_html(*found) : "";
}

/// Somebody sits at this machine: a terminal alone may be one over the network.
bool has_desktop() {
  return isatty(STDOUT_FILENO) != 0 && (getenv("DISPLAY") != nullptr || getenv("WAYLAND_DISPLAY") != nullptr);
}

}  // namespace

void draw(std::ostream& out, const Drawing& drawing, const std::string& name,
          const std::vector<print::NamedRun>& runs, const std::string& title, const std::string& measured) {
  const print::NamedRun& run = runs.front();
  if (drawing.is_text) {
    for (const report::TracedLaunch& launch : run.traces.launches)
      print::print_text(out, launch, drawing.moment);
    return;
  }
  const std::size_t number = launch_of(run.traces, drawing.moment);
  const report::TracedLaunch& launch = run.traces.launches[number];
  std::string start = number == 0 ? "" : "launch=" + std::to_string(number);
  if (drawing.is_page() && !drawing.moment.is_open())
    start += (start.empty() ? "" : "&") + print::address_of(launch, drawing.moment);
  const std::string page =
      drawing.is_page()
          ? print::page_of(title, runs, start, measured)
          : print::picture_of(
                drawing.view, launch, drawing.moment, drawing.command,
                runs.size() > 1 ? &runs[1].traces.launches[launch_of(runs[1].traces, {})] : nullptr);
  const std::string ending = drawing.is_page() ? ".html" : "_" + drawing.view + ".svg";
  const fs::path file =
      drawing.output.empty() ? build_folder() / "show" / (name + ending) : fs::path(drawing.output);
  std::error_code ignored;
  fs::create_directories(fs::absolute(file).parent_path(), ignored);
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  if (!(stream << page << std::flush)) throw Failure(shown_path(file) + " cannot be written.", wrong_usage);
  out << run.name << " is drawn in " << shown_path(file) << "\n";
  // Behind a shell that ends at once: a browser may stay open, and nobody waits for it.
  if (drawing.is_opened && has_desktop())
    process::run({{"sh", "-c", "trap '' HUP; xdg-open \"$0\" >/dev/null 2>&1 &", file.string()}});
}

int show(const ShowOptions& options) {
  Drawing drawing = options.drawing;
  drawing.command = options.line.command();
  if (!options.bench.empty() && !drawing.is_page())
    throw Failure("--bench is for the page: a text and a picture show only the run.", wrong_usage);
  const Shown kernel = main_kernel(options);
  std::vector<Shown> shown = {kernel};  // first all that may not be there, then what takes time
  if (!options.beside.empty() && !drawing.is_text) shown.push_back(kernel_beside(options.beside, kernel));
  std::vector<print::NamedRun> runs;
  runs.push_back({kernel.name(), record(kernel, options)});
  if (shown.size() > 1) {
    const report::TraceFile& main = runs.front().traces;
    const ShowOptions same = like(main.launches[launch_of(main, drawing.moment)], options);
    runs.push_back({shown.back().name(), record(shown.back(), same)});
  }
  draw(std::cout, drawing, name_of_file(kernel), runs, kernel.kernel,
       drawing.is_page() ? measured_html(kernel, options) : "");
  return all_well;
}

namespace {

/// Which moment of the run is drawn.
void add_moment_options(Arguments& arguments, print::Moment& moment) {
  const char* const group = "Which moment";
  arguments.option("--at", moment.place, "steps of these lines: 21, solution.cu:21, 21,22, or words in them")
      .in_group(group);
  arguments
      .option("--time", moment.times,
              "which of the warp's steps there: the first (1), the third (3), 1,3 ...")
      .parted_by(',')
      .in_group(group);
  arguments.option("--step", moment.steps, "steps by their number on the page: 12 or 12,20")
      .parted_by(',')
      .in_group(group);
  arguments
      .option("--access", moment.access,
              "which of the step's accesses to that memory: the first (1), the second ...")
      .in_group(group);
  arguments.option("--warp", moment.warp, "only this warp").in_group(group);
  arguments.option("--of-block", moment.block, "only this block of the grid").in_group(group);
}

void add_arguments(Arguments& arguments, ShowOptions& options) {
  arguments.option("chapter", options.chapter, "ch01, ch01_naive or 1").required();
  arguments.option("kernel,--kernel", options.kernel, "default: the first that is written but not right");
  arguments.flag("--solution", options.uses_solution, "the reference solution, not the exercise");
  arguments.option("--attempt", options.attempt, "a wrong attempt from a page of kernels/")
      .without("--solution");
  arguments.option("--accepted", options.accepted, "another correct solution, from a page of kernels/")
      .without("--solution")
      .without("--attempt");
  arguments
      .option("--n", options.n,
              "elements (default: few; of what the checks reject, as in the launch that they reject)")
      .from_to(1ULL, 1ULL << 30);
  arguments.option("--block", options.block, "threads per block, if the kernel allows a choice (default: 64)")
      .one_of(std::vector<int>{32, 64, 128, 256, 512, 1024});
  arguments.option("--schedule", options.schedule, "converged (default), lockstep or split:SEED");
  arguments.option("--beside", options.beside,
                   "a second run to compare with: solution, or CHAPTER:KERNEL from that chapter's solution");
  arguments.flag("--text", options.drawing.is_text,
                 "text instead of a page: costs, lanes and banks for a terminal");
  arguments.option("--svg", options.drawing.view, "one self-contained picture instead of a page")
      .one_of(print::view_names());
  arguments.option(
      "--bench", options.bench,
      "add the figures of a `bench --json` file to the page, or h200 (default: those of the last `bench` of "
      "this source)");
  arguments.option("--output", options.drawing.output,
                   "where the page or picture goes (default: under build/show)");
  add_moment_options(arguments, options.drawing.moment);
}

const RegisterCommand show_command("show", with_options<ShowOptions>(add_arguments, show));

}  // namespace
}  // namespace warpwise::cli
