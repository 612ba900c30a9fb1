#include <algorithm>
#include <fstream>
#include <iostream>

#include "../print/bench.hpp"
#include "../process/process.hpp"
#include "../report/json.hpp"
#include "../text/installation.hpp"
#include "bench_run.hpp"
#include "build.hpp"
#include "commands.hpp"
#include "gpu_presence.hpp"
#include "progress_line.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;
using report::BenchKernel;
using report::BenchVerdict;

struct BenchOptions {
  std::string chapter, kernel;  ///< empty: all that have a counterpart in CUB
  bool uses_solution = false;
  std::string sizes = "10:30";  ///< exponents of 2: the smallest and the largest n
  std::string json, svg;        ///< files to write; empty: none
  std::string compare;          ///< an earlier result of --json, or "h200"; empty: none
  bool measures_simulator = false;
  int repetitions = 10;  ///< launches of which the best counts; of the simulator's figures
};

/// Warp instructions a second of the ladder's kernels (common/simulator/tests/speed).
int bench_simulator(int repetitions) {
  if (!fs::exists(root_folder() / "common/simulator/tests/speed"))
    throw Failure(
        "a handout does not include the programs that measure the simulator's speed; the course has.");
  build_or_fail({"simulator_speed"});
  const fs::path folder = build_folder() / "common/simulator/tests/speed";
  std::cout.flush();
  return process::run({{(folder / "simulator_speed").string(), (folder / "ladder.ptx").string(),
                        std::to_string(repetitions)},
                       root_folder()})
                     .status == 0
             ? all_well
             : failed;
}

/// The chapters that were asked for and that have kernels to hold against CUB.
std::vector<ChapterFolder> chapters_for(const std::string& word) {
  const auto has_comparisons = [](const ChapterFolder& chapter) {
    return fs::exists(chapter.folder / "bench/comparisons.cu");
  };
  if (!word.empty()) {
    ChapterFolder chapter = chapter_named(word);
    if (!has_comparisons(chapter))
      throw Failure(chapter.name + " has no kernel with a counterpart in CUB; ./warpwise run " + word +
                        " --device gpu times its kernels.",
                    wrong_usage);
    return {chapter};
  }
  std::vector<ChapterFolder> chapters = chapters_of_this_clone();
  std::erase_if(chapters, [&](const ChapterFolder& chapter) { return !has_comparisons(chapter); });
  return chapters;
}

/// A chapter's program for one run of bench.
struct Contender {
  ChapterFolder chapter;
  bool uses_solution;

  std::string kind() const { return uses_solution ? "solution" : "exercise"; }
  std::string target() const { return chapter.name + ".bench." + kind(); }
  fs::path program() const { return chapter.built / "bench" / kind(); }
  fs::path source() const { return uses_solution ? chapter.solution_file() : chapter.exercise_file(); }
};

std::string names_of(const std::vector<BenchKernel>& kernels) {
  std::string names;
  for (const BenchKernel& kernel : kernels) names += (names.empty() ? "" : ", ") + kernel.kernel;
  return names;
}

/// The kernels of the chapter that were asked for.
std::vector<BenchKernel> kernels_for(const Contender& subject, const std::string& kernel) {
  std::vector<BenchKernel> kernels = kernels_of(subject.program(), subject.chapter.name);
  if (kernel.empty()) return kernels;
  const std::string all = names_of(kernels);
  std::erase_if(kernels, [&](const BenchKernel& one) { return one.kernel != kernel; });
  if (kernels.empty())
    throw Failure(kernel + " has no counterpart in CUB; in " + subject.chapter.name + " these have: " + all,
                  wrong_usage);
  return kernels;
}

/// Fills in what comes of one kernel, and prints it.
void visit_contender(const Contender& subject, const LogRange& sizes, BenchKernel& kernel) {
  const ChapterFolder& chapter = subject.chapter;
  if ((subject.uses_solution ? chapter.solution() : chapter.exercise()).is_skeleton(kernel.kernel)) {
    kernel.problem = shown_path(subject.source()) + " has a TODO there";
  } else {
    ProgressLine progress;
    measure(subject.program(), sizes, kernel, [&](const BenchKernel& so_far) {
      progress.show(so_far.kernel + ": " +
                    (so_far.verdict == BenchVerdict::right
                         ? "right; " + std::to_string(so_far.rows.size()) + " sizes timed"
                         : "its results are checked"));
    });
  }
  std::cout << "\n" << print::kernel_text(kernel) << std::flush;
}

/// Throws Failure now, and not after minutes of measuring.
void expect_writable(const std::string& file) {
  if (!file.empty() && !std::ofstream(file, std::ios::app))
    throw Failure(file + " cannot be written.", wrong_usage);
}

std::string command_of(const BenchOptions& options) {
  return "./warpwise bench" + (options.chapter.empty() ? "" : " " + options.chapter) +
         (options.kernel.empty() ? "" : " " + options.kernel) + (options.uses_solution ? " --solution" : "") +
         " --sizes " + options.sizes;
}

/// What stands in the way, as one sentence; nothing if a GPU can be measured.
void expect_gpu() {
  const GpuPresence gpu = find_gpu();
  if (!gpu.is_there)
    throw Failure("there is no GPU here to measure (" + gpu.text +
                  "); `./warpwise bench --simulator` measures the simulated one.");
  if (const std::string problem = driver_problem(gpu, text::installation().toolkit_version); !problem.empty())
    throw Failure(problem);
}

/// 1 if a kernel is wrong or failed, or nothing could be timed.
int status_of(const std::vector<BenchKernel>& kernels) {
  const auto has = [&](BenchVerdict verdict) {
    return std::any_of(kernels.begin(), kernels.end(),
                       [&](const BenchKernel& kernel) { return kernel.verdict == verdict; });
  };
  return has(BenchVerdict::right) && !has(BenchVerdict::wrong) && !has(BenchVerdict::failed) ? all_well
                                                                                             : failed;
}

int bench_gpu(const BenchOptions& options) {
  const LogRange sizes = log_range_from(options.sizes);
  const std::vector<ChapterFolder> chapters = chapters_for(options.chapter);
  report::BenchReport then;
  if (!options.compare.empty()) then = report::read_bench(bench_file(options.compare));
  for (const std::string& file : {options.json, options.svg}) expect_writable(file);
  expect_gpu();

  report::BenchReport bench{.command = command_of(options)};
  for (const ChapterFolder& chapter : chapters) {
    const Contender subject{chapter, options.uses_solution};
    build_or_fail({subject.target()});
    if (bench.machine.gpu.empty()) {
      bench.machine = machine_of(subject.program());
      std::cout << print::machine_text(bench.machine);
    }
    std::cout << "\n" << chapter.name << ", " << shown_path(subject.source()) << std::flush;
    for (BenchKernel& kernel : kernels_for(subject, options.kernel)) {
      visit_contender(subject, sizes, kernel);
      keep_figures(kept_figures_file(chapter.built, subject.kind()), bench.machine, kernel);
      bench.kernels.push_back(std::move(kernel));
      if (!options.json.empty()) report::write_bench(options.json, bench);  // what was measured is not lost
    }
  }
  if (!options.svg.empty()) text::write_text(options.svg, print::bench_svg(bench));
  if (!options.compare.empty()) std::cout << "\n" << print::comparison_text(bench, then, options.compare);
  return status_of(bench.kernels);
}

/// How fast: kernels beside CUB on the GPU, or the simulator's warp instructions per second. Builds what it
/// needs; throws Failure if a GPU is asked for and there is none.
int bench(const BenchOptions& options) {
  return options.measures_simulator ? bench_simulator(options.repetitions) : bench_gpu(options);
}

void add_arguments(Arguments& arguments, BenchOptions& options) {
  arguments.option("chapter", options.chapter, "ch05, ch05_shuffle or 5 (default: all)");
  arguments.option("kernel,--kernel", options.kernel, "default: all that have a counterpart in CUB");
  arguments.flag("--solution", options.uses_solution, "the reference solution, not the exercise");
  arguments.option("--sizes", options.sizes, "n = 2^A to 2^B, as A:B, and each of these plus 3")
      .shows_default();
  arguments.option("--json", options.json, "write the figures to this file");
  arguments.option("--svg", options.svg, "draw time, bandwidth and ratio into this file");
  arguments.option("--compare", options.compare, "compare them with an earlier --json, or with h200");
  arguments.flag("--simulator", options.measures_simulator,
                 "the simulated GPU: warp instructions per second");
  arguments.option("--repetitions", options.repetitions, "launches with --simulator; the best one counts")
      .from_to(1, 1000)
      .shows_default();
}

const RegisterCommand bench_command("bench", with_options<BenchOptions>(add_arguments, bench));

}  // namespace
}  // namespace warpwise::cli
