// The command line behind ./warpwise: reads it, calls the command, turns failures into one sentence.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <functional>
#include <iostream>
#include <string_view>

#include "commands.hpp"
#include "exec.hpp"
#include "failure.hpp"
#include "suggestion.hpp"

#include "../harness/ascii_marks.hpp"
#include "../show/svg/picture.hpp"

namespace warpwise::cli {
namespace {

/// The command that was given, to be called once the whole line has been read.
using Command = std::function<int()>;

void add_device_options(CLI::App& command, std::string& device, unsigned long long& n, std::string& report) {
  command.add_option("--device", device, "where kernels run: sim, gpu or auto (a GPU if there is one)")
      ->check(CLI::IsMember({"sim", "gpu", "auto"}))
      ->capture_default_str();
  command.add_option("--n", n, "elements of the run that is shown")->check(CLI::Range(1ULL, 1ULL << 30));
  command.add_option("--report", report, "write counters and findings to this file, as JSON");
}

void add_run_options(CLI::App& command, RunOptions& options) {
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

void add_grade_options(CLI::App& command, GradeOptions& options) {
  const auto submissions = command.add_option("submissions", options.submissions,
                                              "a folder with a folder or a file NAME.cu for each student");
  command.add_flag("--one", options.is_one, "that folder or file is one submission");
  command.add_option("--chapter", options.chapters, "ch01, or ch01,ch03 (default: what each submission has)")
      ->delimiter(',');
  command.add_option("--points", options.points, "what counts how much, as JSON (docs/grading.md)");
  command.add_option("--out", options.out, "the folder of the results")->capture_default_str();
  command.add_option("--gradescope", options.gradescope, "with --one: Gradescope's results.json");
  command.add_option("--shard", options.shard, "PART/OF: this part of the class alone");
  command.add_option("--merge", options.merged, "puts the folders of all parts together in --out")
      ->excludes(submissions);
  command.add_flag("--unfenced", options.is_unfenced, "compile and judge without bubblewrap");
  command.add_option("--jobs", options.jobs, "submissions at the same time (default: one a processor)");
  command.add_option("--seconds", options.seconds, "of a processor, for nvcc and for the checks each")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  command.add_option("--memory", options.memory, "MiB, for nvcc and for the checks each")
      ->check(CLI::Range(256, 1 << 20))
      ->capture_default_str();
  command.footer("Exit status: 0 all were graded, 1 some could not be, 2 wrong usage.");
}

/// Which moment of the run is drawn.
void add_moment_options(CLI::App& command, show::Moment& moment) {
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

void add_show_options(CLI::App& command, ShowOptions& options) {
  command.add_option("chapter", options.chapter, "ch01, ch01_naive or 1")->required();
  command.add_option("kernel,--kernel", options.kernel, "default: the first that is written and not right");
  const auto solution =
      command.add_flag("--solution", options.uses_solution, "the reference solution, not the exercise");
  const auto attempt =
      command.add_option("--attempt", options.attempt, "a wrong kernel from the chapter's attempts/");
  command.add_option("--accepted", options.accepted, "a right one, written otherwise, from accepted/")
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
  svg->check(
      CLI::IsMember(std::vector<std::string>(std::begin(show::view_names), std::end(show::view_names))));
  command.add_option("--output", options.output, "file of the page or picture (default: below build/show)");
  add_moment_options(command, options.moment);
}

void add_predict_options(CLI::App& command, PredictOptions& options) {
  command.add_option("chapter", options.chapter, "ch01, ch01_naive or 1")->required();
  command.add_option("section", options.section, "default: the first in which something is not right yet");
  command.add_flag("--again", options.asks_again, "asks what is right already, too");
  command.footer("Answers may come from a pipe. An empty line skips a question.");
}

void add_puzzle_options(CLI::App& command, PuzzleOptions& options) {
  command.add_option("chapter", options.chapter, "ch01, ch01_naive or 1 (default: any)");
  command.add_option("--seed", options.seed, "the same seed gives the same puzzle");
  command.add_flag("--anyway", options.shows_unsolved,
                   "of kernels, too, that you have not written yet: all of the solution but the mistake");
  command.footer("Answer with a line and a kind, such as `9 race`. An empty line gives up.");
}

void add_handout_options(CLI::App& command, HandoutOptions& options) {
  command.add_option("folder", options.folder, "to be made: the repository, or what grades it")->required();
  command.add_option("--chapters", options.chapters, "of these alone: ch01,ch03 (default: all)")
      ->delimiter(',');
  command.add_flag("!--no-attempts", options.has_attempts, "without the list of known mistakes");
  const auto solutions =
      command.add_flag("--solutions", options.adds_solutions, "add the solutions to a handout, as a commit");
  command
      .add_option("--for", options.target,
                  "gradescope: an autograder a chapter; github: with a workflow that grades")
      ->check(CLI::IsMember({"gradescope", "github"}))
      ->excludes(solutions);
  command.add_option("--solutions-come", options.solutions_come,
                     "when, for ./warpwise solution there: \"on 1 December\"");
  command.add_option("--checks-from", options.checks_from,
                     "with --for github: OWNER/NAME of the course's repository (default: the remote's)");
  command.add_option("--variant", options.variant, "another task, for marks: a seed, or a variant's name")
      ->excludes(solutions);
  command
      .add_option("--points", options.points,
                  "with --for gradescope: what counts how much (docs/grading.md), in its zip")
      ->check(CLI::ExistingFile);
  command.footer("What is handed out is the last commit (docs/handouts.md).");
}

std::string quoted_for_shell(const std::string& word) {
  if (word.find_first_of(" \"'$&|;<>()[]*?!#~`\\{}%") == word.npos && !word.empty()) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

/// The line as it was typed, without --output and its file.
std::string command_line(int count, const char* const* words) {
  std::string line = "./warpwise";
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--output")
      ++i;
    else if (!word.starts_with("--output="))
      line += ' ' + quoted_for_shell(word);
  }
  return line;
}

void add_bench_options(CLI::App& command, BenchOptions& options) {
  command.add_option("chapter", options.chapter, "ch05, ch05_shuffle or 5 (default: all)");
  command.add_option("kernel,--kernel", options.kernel, "default: all that have a counterpart in CUB");
  command.add_flag("--solution", options.uses_solution, "the reference solution, not the exercise");
  command.add_option("--sizes", options.sizes, "n = 2^A ... 2^B, as A:B, and three more than each")
      ->capture_default_str();
  command.add_option("--json", options.json, "write the figures to this file");
  command.add_option("--svg", options.svg, "draw time, bandwidth and ratio into this file");
  command.add_option("--compare", options.compare, "hold them against an earlier --json, or against h200");
  command.add_flag("--simulator", options.measures_simulator,
                   "the simulated GPU: warp instructions a second");
  command.add_option("--repetitions", options.repetitions, "of the simulator's launches; the best counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
}

void add_profile_options(CLI::App& command, ProfileOptions& options) {
  command.add_option("chapter", options.chapter, "ch03, ch03_bank_conflicts or 3 (default: all)");
  command.add_option("kernel,--kernel", options.kernel, "default: all of the chapter");
  command.add_flag("--solution", options.uses_solution, "the reference solution, not the exercise");
  command.add_option("--n", options.n, "elements")
      ->check(CLI::Range(1ULL, 1ULL << 26))
      ->capture_default_str();
  command.add_option("--keep", options.keep, "keep Nsight Compute's report in this file, .ncu-rep");
  command.add_option("--save", options.save, "write the counters to this file, a line each");
  command.add_option("--compare", options.compare, "hold them against an earlier --save, or against h200");
}

/// Unknown commands are kept apart from wrong options, so that the nearest command can be named.
int check_command(const CLI::App& app, int count, const char* const* words) {
  if (count < 2 || words[1][0] == '-') return all_well;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == words[1]) return all_well;
    names.push_back(command->get_name());
  }
  names.emplace_back("doctor");  // the script's own
  throw Failure("there is no command '" + std::string(words[1]) + "'" + suggestion(words[1], names),
                wrong_usage);
}

/// ": did you mean --lines?", where one of the words is nearly an option of the command; else empty.
std::string meant_option(const CLI::App& app, int count, const char* const* words) {
  const auto commands = app.get_subcommands();
  if (commands.empty()) return {};
  std::vector<std::string> names;
  for (const CLI::Option* option : commands.front()->get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  for (int i = 2; i < count; ++i) {
    const std::string word = std::string(words[i]).substr(0, std::string_view(words[i]).find('='));
    const bool is_known = std::find(names.begin(), names.end(), word) != names.end();
    if (!word.starts_with("--") || is_known) continue;
    if (const std::string near = nearest(word, names); !near.empty()) return "; did you mean " + near + "?";
  }
  return {};
}

int main_or_throw(int count, const char* const* words) {
  CLI::App app("Warpwise: learn parallel reduction in CUDA C++, with or without a GPU.", "./warpwise");
  app.require_subcommand(1);
  Command chosen;
  BenchOptions bench_options;
  ProfileOptions profile_options;
  TourOptions tour_options;
  RunOptions run_options;
  ShowOptions show_options;
  HandoutOptions handout_options;
  std::vector<std::string> ctest_arguments;
  std::string chapter, kernel;
  bool shows_all = false, only_checks = false;

  CLI::App* command = app.add_subcommand("tour", "run every chapter's solution; one table");
  add_device_options(*command, tour_options.device, tour_options.n, tour_options.report);
  command->callback([&] { chosen = [&] { return tour(tour_options); }; });

  command = app.add_subcommand("list", "the chapters, and how far you are");
  command->callback([&] { chosen = list; });

  command = app.add_subcommand("run", "build a chapter's exercise, run it, judge it");
  add_run_options(*command, run_options);
  command->callback([&] { chosen = [&] { return run(run_options); }; });

  command =
      app.add_subcommand("watch", "run a chapter again whenever a file is saved, then go on to the next");
  add_run_options(*command, run_options);
  command->add_flag("--show", run_options.keeps_page,
                    "after each save also the page of `show`, in the same file");
  command->callback([&] { chosen = [&] { return watch(run_options); }; });

  command = app.add_subcommand("show", "draw what a kernel did, lane by lane: a page for the browser");
  add_show_options(*command, show_options);
  show_options.command = command_line(count, words);
  command->callback([&] { chosen = [&] { return show(show_options); }; });

  PredictOptions predict_options;
  command = app.add_subcommand("predict", "guess a lesson's numbers, then have them measured");
  add_predict_options(*command, predict_options);
  command->callback([&] { chosen = [&] { return predict(predict_options); }; });

  PuzzleOptions puzzle_options;
  command = app.add_subcommand("puzzle", "find what is wrong in a kernel");
  add_puzzle_options(*command, puzzle_options);
  command->callback([&] { chosen = [&] { return puzzle(puzzle_options); }; });

  command = app.add_subcommand("exec", "compile a CUDA program and run it on the simulated GPU");
  command->prefix_command()->footer(
      "FILE... [options] [nvcc's options] [-- the program's arguments]\n"
      "FILEs are .cu and .cpp sources and objects, or one program that was linked with the simulated GPU.\n"
      "  --report FILE      counters and findings of each launch, as JSON (docs/report.schema.json)\n"
      "  --show             draws its launches: a page for the browser\n"
      "  --trace FILE       what each lane did, step by step, as JSON (docs/trace.schema.json)\n"
      "  --schedule ORDER   converged (default), lockstep or split:SEED\n"
      "  --threads N        host threads (default: one a processor; 1 is deterministic)\n"
      "  --budget N         warp instructions that a launch may spend (default: ten minutes for a block)\n"
      "  --strict           a shuffle from a lane that takes no part gives poison, not 0 as hardware does\n"
      "  --quiet            do not print findings\n"
      "Exit status: the program's; 3 for findings in an otherwise successful run; 2 for what cannot be run.");
  command->callback(
      [&, command] { chosen = [command] { return exec(read_exec_request(command->remaining())); }; });

  command = app.add_subcommand("hint", "the next hint for a kernel");
  command->add_option("chapter", chapter)->required();
  command->add_option("kernel,--kernel", kernel, "default: the first that is not right");
  command->add_flag("--all", shows_all, "all hints at once");
  command->callback([&] { chosen = [&] { return hint(chapter, kernel, shows_all); }; });

  command = app.add_subcommand("solution", "print the reference solution");
  command->add_option("chapter", chapter)->required();
  command->add_option("kernel,--kernel", kernel, "default: all of the chapter");
  command->callback([&] { chosen = [&] { return solution(chapter, kernel); }; });

  command = app.add_subcommand("reset", "put the skeleton back; your version is kept beside it");
  command->add_option("chapter", chapter)->required();
  command->callback([&] { chosen = [&] { return reset(chapter); }; });

  GradeOptions grade_options;
  command = app.add_subcommand("grade", "judge what a class has handed in");
  add_grade_options(*command, grade_options);
  command->callback([&] { chosen = [&] { return grade(grade_options); }; });

  command = app.add_subcommand("test", "run every test of the project");
  command->add_option("arguments", ctest_arguments, "after --: for ctest, e.g. -- -R ch01");
  command->callback([&] { chosen = [&] { return test(ctest_arguments); }; });

  command = app.add_subcommand("bench", "on a GPU: your kernels beside CUB's; or the simulator's speed");
  add_bench_options(*command, bench_options);
  command->callback([&] { chosen = [&] { return bench(bench_options); }; });

  command = app.add_subcommand("new-chapter", "make a chapter that builds, to be filled in");
  command->add_option("name", chapter, "stencil, or ch08_stencil")->required();
  command->add_flag("--check", only_checks, "make nothing: what does this chapter still lack?");
  command->callback([&] { chosen = [&] { return new_chapter(chapter, only_checks); }; });

  command = app.add_subcommand("handout", "make a repository for students, without solutions");
  add_handout_options(*command, handout_options);
  command->callback([&] { chosen = [&] { return handout(handout_options); }; });
  command = app.add_subcommand("profile", "on a GPU: the hardware's counters beside the simulator's");
  add_profile_options(*command, profile_options);
  command->callback([&] { chosen = [&] { return profile(profile_options); }; });

  check_command(app, count, words);
  // What stands after -- is not ours to read.
  int own = count;
  if (count > 1 && (words[1] == std::string_view("run") || words[1] == std::string_view("watch"))) {
    own = static_cast<int>(std::find(words + 2, words + count, std::string_view("--")) - words);
    for (int i = own + 1; i < count; ++i) run_options.more.emplace_back(words[i]);
  }
  try {
    app.parse(own, words);
  } catch (const CLI::Success& asked_for_help) {
    return app.exit(asked_for_help);
  } catch (const CLI::ParseError& error) {
    throw Failure(std::string(error.what()) + meant_option(app, own, words) + " (see ./warpwise " +
                      (count > 1 ? words[1] : "") + " --help)",
                  wrong_usage);
  }
  return chosen();
}

}  // namespace
}  // namespace warpwise::cli

int main(int count, char** words) {
  const warpwise::harness::AsciiMarks marks(std::cout);
  try {
    return warpwise::cli::main_or_throw(count, words);
  } catch (const warpwise::cli::Failure& failure) {
    std::cerr << "warpwise: " << failure.what() << "\n";
    return failure.status();
  } catch (const std::exception& error) {
    std::cerr << "warpwise: " << error.what() << "\n";
    return warpwise::cli::failed;
  }
}
