#include <algorithm>
#include <fstream>
#include <iostream>

#include "../process/process.hpp"
#include "../report/json.hpp"
#include "../text/installation.hpp"
#include "build.hpp"
#include "commands.hpp"
#include "gpu_presence.hpp"
#include "ncu.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

struct ProfileOptions {
  std::string chapter, kernel;  ///< empty: all
  bool uses_solution = false;
  unsigned long long n = 1U << 15;  ///< elements: few enough that grids are the same on both GPUs
  std::string keep;                 ///< where Nsight Compute's own report goes, .ncu-rep; empty: nowhere
  std::string save;                 ///< file of the counters, a line each; empty: none
  std::string compare;              ///< an earlier result of --save, or "h200"; empty: none
};

/// Throws Failure with the one thing that stands in the way. Returns the GPU's name and ncu's path.
struct Tools {
  std::string gpu, ncu;
};
Tools tools_here() {
  const GpuPresence gpu = find_gpu();
  const std::string without = "; `./warpwise run CHAPTER --lines` shows what the simulated GPU counts.";
  if (!gpu.is_there) throw Failure("there is no GPU here to profile (" + gpu.text + ")" + without);
  if (const std::string problem = driver_problem(gpu, text::installation().toolkit_version); !problem.empty())
    throw Failure(problem);
  const std::string ncu = find_ncu();
  if (ncu.empty())
    throw Failure(
        "Nsight Compute (ncu) is not here. It comes with NVIDIA's full toolkit, as the package "
        "cuda-nsight-compute-MAJOR-MINOR or from https://developer.nvidia.com/nsight-compute" +
        without);
  return {gpu.text, ncu};
}

/// Where the results of one chapter lie.
struct Files {
  fs::path report;   ///< of ncu, .ncu-rep
  fs::path counted;  ///< of the simulator
};

/// Runs the chapter's kernels once under ncu. The checks that are named run on the simulated GPU alone, so
/// that there is nothing but the launches to be counted.
void run_under_ncu(const Tools& tools, const ChapterFolder& chapter, const Subject& subject,
                   const ProfileOptions& options, const Files& files) {
  fs::remove(files.report);
  std::vector<std::string> command = {tools.ncu,
                                      "--clock-control",
                                      "none",
                                      "--section",
                                      "SourceCounters",
                                      "--import-source",
                                      "yes",
                                      "--metrics",
                                      metrics_argument(),
                                      "--launch-count",
                                      "1",
                                      "--filter-mode",
                                      "per-launch-config",
                                      "-f",
                                      "-o",
                                      fs::path(files.report).replace_extension().string(),
                                      chapter.executable().string(),
                                      subject.module.string(),
                                      "--device",
                                      "gpu",
                                      "--n",
                                      std::to_string(options.n),
                                      "--report",
                                      files.counted.string()};
  if (!options.kernel.empty()) command.insert(command.end(), {"--kernel", options.kernel});
  command.insert(command.end(), {"[safety]"});
  const process::Result result = process::run({.words = command, .keeps = process::Keeps::all});
  if (fs::exists(files.report) && fs::exists(files.counted)) return;
  throw Failure(ncu_problem(result.output));
}

std::string ncu_page_of(const Tools& tools, const Files& files, std::vector<std::string> page) {
  std::vector<std::string> command = {tools.ncu, "--import", files.report.string(), "--csv", "--page"};
  command.insert(command.end(), page.begin(), page.end());
  return process::run({.words = command, .keeps = process::Keeps::output}).output;
}

/// Profiles one chapter, prints its kernels and returns their counters.
std::vector<CounterPair> profile_chapter(const Tools& tools, const ChapterFolder& chapter,
                                         const ProfileOptions& options, const KnownDifferences& known) {
  const Subject subject = subject_of(chapter, options.uses_solution, "");
  expect_source(chapter, subject);
  const BuildResult build = build_module(chapter, subject);
  if (!build.is_built) throw Failure(shown_path(subject.source) + " does not compile:\n" + build.messages);
  const Files files{chapter.built / "profile.ncu-rep", chapter.built / "profile.json"};
  run_under_ncu(tools, chapter, subject, options, files);
  const report::Report counted = report::read_file(files.counted);
  const auto launches = launches_from(ncu_page_of(tools, files, {"raw", "--print-units", "base"}));
  const auto lines = lines_from(ncu_page_of(tools, files, {"source", "--print-source", "cuda,sass"}));
  if (!options.keep.empty()) fs::copy_file(files.report, options.keep, fs::copy_options::overwrite_existing);

  std::cout << "\n" << chapter.name << ", " << shown_path(subject.source) << "\n";
  std::vector<CounterPair> all;
  for (const HardwareLaunch& launch : launches) {
    const report::Launch* simulated = counted.launch(chapter.name, launch.kernel, true);
    if (simulated == nullptr) continue;
    const std::vector<CounterPair> pairs = pairs_of(*simulated, launch, known);
    std::cout << "\n" << print::profile_text(*simulated, pairs, line_pairs(*simulated, lines)) << std::flush;
    all.insert(all.end(), pairs.begin(), pairs.end());
  }
  if (all.empty())
    std::cout << "  nothing was counted: is the kernel right? ./warpwise run " << chapter.short_name()
              << "\n";
  return all;
}

std::string summary_of(const std::vector<CounterPair>& pairs) {
  const auto count = [&](auto which) { return std::count_if(pairs.begin(), pairs.end(), which); };
  const auto equal = count([](const CounterPair& pair) { return pair.is_equal(); });
  const auto unknown = count([](const CounterPair& pair) { return pair.verdict == "differs"; });
  return "\n" + std::to_string(equal) + " of " + std::to_string(pairs.size()) + " counters are equal, " +
         std::to_string(static_cast<long>(pairs.size()) - equal - unknown) + " differ for a known reason, " +
         std::to_string(unknown) + " differ for no known reason.\n";
}

std::string profile_command_of(const ProfileOptions& options) {
  return "./warpwise profile" + (options.chapter.empty() ? "" : " " + options.chapter) +
         (options.kernel.empty() ? "" : " " + options.kernel) + (options.uses_solution ? " --solution" : "") +
         " --n " + std::to_string(options.n);
}

/// The hardware's counters, by Nsight Compute, beside the simulator's, kernel by kernel and line by line.
int profile(const ProfileOptions& options) {
  if (!options.keep.empty() && options.chapter.empty())
    throw Failure(
        "--keep keeps the report of one chapter: name it, as in ./warpwise profile ch03 --keep FILE",
        wrong_usage);
  const fs::path results = root_folder() / "docs/results";
  const std::vector<ChapterFolder> chapters =
      options.chapter.empty() ? chapters_of_this_clone() : std::vector{chapter_named(options.chapter)};
  std::vector<CounterPair> then;
  if (!options.compare.empty())
    then = pairs_from(
        read_text(options.compare == "h200" ? results / "h200/counters.tsv" : fs::path(options.compare)));
  const KnownDifferences known(read_text(results / "counter_differences.tsv"));
  const Tools tools = tools_here();

  std::cout << "Counters of " << tools.gpu << ", by Nsight Compute, beside the simulated GPU's\n";
  std::vector<CounterPair> pairs;
  for (const ChapterFolder& chapter : chapters) {
    const auto some = profile_chapter(tools, chapter, options, known);
    pairs.insert(pairs.end(), some.begin(), some.end());
  }
  std::cout << summary_of(pairs);
  if (!options.save.empty() &&
      !(std::ofstream(options.save) << table_of(
            pairs, "# GPU: " + tools.gpu + "\n# nvcc: " + text::installation().toolkit_version +
                       "\n# command: " + profile_command_of(options) + "\n")))
    throw Failure(options.save + " cannot be written.");
  if (!options.compare.empty()) std::cout << "\n" << print::profile_comparison(pairs, then, options.compare);
  return pairs.empty() ? failed : all_well;
}

void add_arguments(Arguments& arguments, ProfileOptions& options) {
  arguments.option("chapter", options.chapter, "ch03, ch03_bank_conflicts or 3 (default: all)");
  arguments.option("kernel,--kernel", options.kernel, "default: all of the chapter");
  arguments.flag("--solution", options.uses_solution, "the reference solution, not the exercise");
  arguments.option("--n", options.n, "elements").from_to(1ULL, 1ULL << 26).shows_default();
  arguments.option("--keep", options.keep, "keep Nsight Compute's report in this file, .ncu-rep");
  arguments.option("--save", options.save, "write the counters to this file, one per line");
  arguments.option("--compare", options.compare, "compare them with an earlier --save, or with h200");
}

const RegisterCommand profile_command("profile", with_options<ProfileOptions>(add_arguments, profile));

}  // namespace
}  // namespace warpwise::cli
