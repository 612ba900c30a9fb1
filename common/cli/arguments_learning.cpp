// What a student's commands can be told.

#include "arguments.hpp"

#include <CLI/CLI.hpp>

#include "../print/show.hpp"

namespace warpwise::cli {
namespace {

void add_device_options(CLI::App& command, std::string& device, unsigned long long& n, std::string& report) {
  command.add_option("--device", device, "where kernels run: sim, gpu or auto (a GPU if there is one)")
      ->check(CLI::IsMember({"sim", "gpu", "auto"}))
      ->capture_default_str();
  command.add_option("--n", n, "elements of the run that is shown")->check(CLI::Range(1ULL, 1ULL << 30));
  command.add_option("--report", report, "write counters and findings to this file, as JSON");
}

/// Which moment of the run is drawn.
void add_moment_options(CLI::App& command, print::Moment& moment) {
  const std::string group = "Which moment";
  command
      .add_option("--at", moment.place,
                  "steps of these lines: 21, solution.cu:21, 21,22, or words that they have")
      ->group(group);
  command.add_option("--time", moment.times, "of a warp's steps there the first (1), the third (3), 1,3 ...")
      ->delimiter(',')
      ->group(group);
  command.add_option("--step", moment.steps, "steps by their number on the page: 12 or 12,20")
      ->delimiter(',')
      ->group(group);
  command
      .add_option("--access", moment.access,
                  "of a step's accesses to that memory the first (1), the second ...")
      ->group(group);
  command.add_option("--warp", moment.warp, "of this warp")->group(group);
  command.add_option("--of-block", moment.block, "of this block of the grid")->group(group);
}

}  // namespace

void add_arguments(CLI::App& command, TourOptions& options) {
  add_device_options(command, options.device, options.n, options.report);
  command.add_flag(
      "--counters", [&options](std::int64_t) { options.counters = print::LadderCounters::all; },
      "all counters: they give away what the lessons ask to predict");
}

void add_arguments(CLI::App& command, RunOptions& options) {
  command.add_option("chapter", options.chapter, "ch01, ch01_naive or 1")->required();
  const auto solution =
      command.add_flag("--solution", options.uses_solution, "the reference solution, not the exercise");
  command
      .add_option("--attempt", options.attempt,
                  "a wrong kernel from the chapter's attempts/, and what is wrong with it")
      ->excludes(solution);
  command.add_option("kernel,--kernel", options.kernel, "this kernel alone");
  add_device_options(command, options.device, options.n, options.report);
  command.add_flag("--lines", options.shows_lines, "what each source line of a kernel costs");
  command.add_option("--trace", options.trace,
                     "write what each lane did in that run, step by step, to this file, as JSON");
  command.add_flag("--verbose", options.is_verbose, "every failure and finding in full");
  command.footer("What stands after -- is for Catch2, e.g. -- --list-tests");
}

void add_arguments(CLI::App& command, WatchOptions& options) {
  add_arguments(command, options.run);
  command.add_flag("--show", options.keeps_page, "after each save also the page of `show`, in the same file");
}

void add_arguments(CLI::App& command, ShowOptions& options) {
  command.add_option("chapter", options.chapter, "ch01, ch01_naive or 1")->required();
  command.add_option("kernel,--kernel", options.kernel, "default: the first that is written and not right");
  const auto solution =
      command.add_flag("--solution", options.uses_solution, "the reference solution, not the exercise");
  const auto attempt =
      command.add_option("--attempt", options.attempt, "a wrong kernel from the chapter's attempts/");
  command.add_option("--accepted", options.accepted, "a right one, written otherwise, from accepted.md")
      ->excludes(solution)
      ->excludes(attempt);
  attempt->excludes(solution);
  command.add_option("--n", options.n, "elements (default: few, so that a picture can be read)")
      ->check(CLI::Range(1ULL, 1ULL << 30));
  command.add_option("--block", options.block, "threads a block, where the kernel takes any number")
      ->check(CLI::IsMember({32, 64, 128, 256, 512, 1024}))
      ->capture_default_str();
  command.add_option("--schedule", options.schedule, "converged, lockstep or split:SEED")
      ->capture_default_str();
  command.add_option("--beside", options.beside,
                     "a second run beside it: solution, or CHAPTER:KERNEL of its solution");
  command.add_flag("--text", options.is_text, "no page: costs, lanes and banks for a terminal");
  const auto svg =
      command.add_option("--svg", options.view, "no page: one picture, a file that stands for itself");
  svg->check(CLI::IsMember(print::view_names()));
  command.add_option(
      "--bench", options.bench,
      "the page shows what `bench --json` measured in this file, or h200 (default: what the last "
      "`bench` of this source measured)");
  command.add_option("--output", options.output, "file of the page or picture (default: below build/show)");
  add_moment_options(command, options.moment);
}

void add_arguments(CLI::App& command, PredictOptions& options) {
  command.add_option("chapter", options.chapter, "ch01, ch01_naive or 1")->required();
  command.add_option("section", options.section, "default: the first in which something is not right yet");
  command.add_flag("--again", options.asks_again, "asks what is right already, too");
  command.footer("Answers may come from a pipe. An empty line skips a question.");
}

void add_arguments(CLI::App& command, PuzzleOptions& options) {
  command.add_option("chapter", options.chapter, "ch01, ch01_naive or 1 (default: any)");
  command.add_option("--seed", options.seed, "the same seed gives the same puzzle");
  command.add_flag("--anyway", options.shows_unsolved,
                   "of kernels, too, that you have not written yet: all of the solution but the mistake");
  command.footer("Answer with a line and a kind, such as `9 race`. An empty line gives up.");
}

void add_arguments(CLI::App& command, HintOptions& options) {
  command.add_option("chapter", options.chapter)->required();
  command.add_option("kernel,--kernel", options.kernel, "default: the first that is not right");
  command.add_flag("--all", options.shows_all, "all hints at once");
}

void add_arguments(CLI::App& command, SolutionOptions& options) {
  command.add_option("chapter", options.chapter)->required();
  command.add_option("kernel,--kernel", options.kernel, "default: all of the chapter");
}

void add_arguments(CLI::App& command, ResetOptions& options) {
  command.add_option("chapter", options.chapter)->required();
}

void add_arguments(CLI::App& command, TestOptions& options) {
  command.add_option("arguments", options.arguments, "after --: for ctest, e.g. -- -R ch01");
}

}  // namespace warpwise::cli
