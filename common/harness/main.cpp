// The main function of every chapter's executable.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>

#include "ascii_marks.hpp"
#include "attempt.hpp"
#include "chapter.hpp"
#include "exhibition.hpp"
#include "gpu_device.hpp"
#include "ladder.hpp"
#include "options.hpp"
#include "prints.hpp"
#include "report_lines.hpp"
#include "runner.hpp"
#include "screen.hpp"
#include "simulated_device.hpp"
#include "skeleton.hpp"

namespace {

using namespace warpwise::harness;

enum Status { all_well = 0, check_failed = 1, unusable = 2 };

/// The devices of this run.
struct Bench {
  std::unique_ptr<SimulatedDevice> simulated;
  std::unique_ptr<GpuDevice> gpu;  ///< may be absent

  std::string gpu_name() const { return gpu ? gpu->properties().name : ""; }
};

std::string kernel_names(const Chapter& chapter) {
  std::string names;
  for (const Exhibit& exhibit : chapter.exhibits) {
    names += (names.empty() ? "" : ", ") + std::string(exhibit.kernel.text);
  }
  return names;
}

/// Throws UsageError where the module lacks a kernel that is going to be checked.
void expect_kernels(const Chapter& chapter, const std::string& kernel, const SimulatedDevice& device,
                    const std::string& module) {
  if (!kernel.empty() && chapter.find(kernel) == nullptr) {
    throw UsageError(std::string(chapter.name) + " has no kernel '" + kernel + "'; it has " +
                     kernel_names(chapter));
  }
  for (const Exhibit& exhibit : chapter.exhibits) {
    const std::string name(exhibit.kernel.text);
    if ((kernel.empty() || name == kernel) && !device.has_kernel(name)) {
      const std::string source = source_of(device.program().module());
      throw UsageError((source.empty() ? module : shown_path(source)) + " has no kernel '" + name +
                       "'; was its name changed? The names are those of " + std::string(chapter.name) +
                       "/kernels.hpp");
    }
  }
}

Bench make_bench(const Options& options, const std::string& module) {
  Bench bench;
  if (!std::filesystem::exists(module)) {
    throw UsageError("there is no module " + module + "; ./warpwise run builds the exercise's");
  }
  try {
    bench.simulated = std::make_unique<SimulatedDevice>(module);
  } catch (const warpwise::simulator::ptx::Error& error) {
    throw UsageError(std::string("the module cannot be used: ") + error.what());
  }
  if (options.device == DeviceChoice::gpu && !is_gpu_available()) {
    throw UsageError("--device gpu: " + gpu_availability().reason);
  }
  if (options.device == DeviceChoice::simulator || !is_gpu_available()) return bench;
  try {
    bench.gpu = make_gpu_device(module);
  } catch (const std::exception& error) {
    if (options.device == DeviceChoice::gpu) throw;
    std::fprintf(stderr, "The GPU is not used: %s\n", error.what());
  }
  return bench;
}

void list_kernels(const Chapter& chapter) {
  for (const Exhibit& exhibit : chapter.exhibits) {
    std::cout << exhibit.kernel.text << '\t' << (exhibit.is_exercise ? "exercise" : "given") << '\t'
              << exhibit.technique << '\t' << exhibit.task << '\n';
  }
}

const char* word_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return "passed";
    case Outcome::failed:
      return "failed";
    case Outcome::not_checked:
      break;
  }
  return "not checked";
}

void add_launch(Report& report, const std::optional<Launch>& launch) {
  if (!launch) return;
  ReportedLaunch reported;
  reported.device = launch->is_simulated() ? "sim" : "gpu";  // the words of docs/report.schema.json
  if (launch->is_simulated()) {
    reported.report = launch->report();
  } else {
    const LaunchShape& shape = launch->shape();
    reported.report.kernel = launch->kernel();
    reported.report.grid = {shape.grid.x, shape.grid.y, shape.grid.z};
    reported.report.block = {shape.block.x, shape.block.y, shape.block.z};
    reported.report.shared_bytes = static_cast<std::uint32_t>(shape.shared_bytes);
    reported.report.seconds = launch->milliseconds().value_or(0) / 1e3;
  }
  report.launches.push_back(std::move(reported));
}

void save_report(const std::string& path, const Chapter& chapter, const std::string& module,
                 const Bench& bench, const std::vector<ExhibitRun>& runs) {
  Report report{std::string(chapter.name), std::string(chapter.title), module, {}, {}, {}};
  report.devices.push_back(bench.simulated->properties().name);
  if (bench.gpu) report.devices.push_back(bench.gpu_name());
  for (const Verdict& verdict : record().verdicts()) {
    ReportedCheck check{verdict.kernel, std::string(name_of(verdict.aspect)), word_of(verdict.outcome), {}};
    for (const Failure& failure : verdict.failures) {
      check.failures.push_back({failure.test_case, failure.sentence, failure.findings});
    }
    report.checks.push_back(std::move(check));
  }
  for (const ExhibitRun& run : runs) {
    add_launch(report, run.simulated);
    add_launch(report, run.gpu);
  }
  std::ofstream file(path);
  write_report(file, report);
  if (!file.flush()) throw UsageError(path + ": the report cannot be written");
}

/// Whether Catch2 is asked for a list or for help, and not to run anything.
bool only_lists(const std::vector<std::string>& catch_arguments) {
  return std::any_of(catch_arguments.begin(), catch_arguments.end(), [](const std::string& word) {
    return word.starts_with("--list") || word == "-l" || word == "-t" || word == "--help" || word == "-h" ||
           word == "-?";
  });
}

/// Prints the first check that broke off; such a run proves nothing about the kernels.
bool tell_broken() {
  for (const Verdict& verdict : record().verdicts()) {
    for (const Failure& failure : verdict.failures) {
      if (!failure.is_broken) continue;
      std::cout << "the check itself broke off: " << failure.test_case << ": " << failure.sentence << '\n';
      return true;
    }
  }
  return false;
}

/// The test of skeletons: every exercise fails its result check.
int judge_skeleton(const Chapter& chapter, const std::string& kernel) {
  if (tell_broken()) return unusable;
  int status = all_well;
  for (const Exhibit& exhibit : chapter.exhibits) {
    if (!exhibit.is_exercise || (!kernel.empty() && exhibit.kernel.text != kernel)) continue;
    const Verdict* verdict = record().find(exhibit.kernel.text, Aspect::result);
    if (verdict != nullptr && verdict->outcome == Outcome::failed) {
      std::cout << exhibit.kernel.text
                << ": fails, as a skeleton must: " << verdict->failures.front().sentence << '\n';
    } else {
      std::cout << exhibit.kernel.text
                << (verdict == nullptr ? ": has no result check\n"
                                       : ": passes its result check, though it is a skeleton\n");
      status = check_failed;
    }
  }
  return status;
}

int judge_rejection(const ExpectedRejection& expected) {
  if (tell_broken()) return unusable;
  const Rejection rejection = judge_attempt(expected, record());
  std::cout << (rejection.is_as_expected ? "rejected, as it must be: " : "") << rejection.sentence << '\n';
  return rejection.is_as_expected ? all_well : check_failed;
}

std::set<std::string> untouched_kernels(const Chapter& chapter, const SimulatedDevice& device) {
  std::set<std::string> names;
  for (const Exhibit& exhibit : chapter.exhibits) {
    const std::string name(exhibit.kernel.text);
    if (device.writes_nothing(name)) names.insert(name);
  }
  return names;
}

int run(const Options& options) {
  const Chapter& the_chapter = chapter();
  if (options.wants_help) {
    std::cout << usage(std::string(the_chapter.name));
    return all_well;
  }
  if (options.lists_kernels) {
    list_kernels(the_chapter);
    return all_well;
  }
  const std::string module =
      options.module.empty() ? std::string(the_chapter.binary_folder) + "/exercise.ptx" : options.module;
  std::optional<ExpectedRejection> expected;
  if (!options.expected_rejection.empty()) expected = read_rejection(options.expected_rejection);
  const std::string kernel = expected ? expected->kernel : options.kernel;

  const Bench bench = make_bench(options, module);
  expect_kernels(the_chapter, kernel, *bench.simulated, module);
  std::vector<std::reference_wrapper<Device>> all{*bench.simulated};
  if (bench.gpu) all.emplace_back(*bench.gpu);
  use_devices(all);

  constexpr std::uint64_t most_lines = 100;  // a screen or two; the verdict stands below them
  Prints prints(std::cout, options.is_verbose ? std::numeric_limits<std::uint64_t>::max() : most_lines);
  bench.simulated->options().launch.print = [&prints](std::string_view text) { prints.show(text); };

  const int catch_status = run_checks(kernel, options.is_verbose, options.catch_arguments);
  if (record().verdicts().empty()) {
    if (only_lists(options.catch_arguments)) return catch_status;
    if (!options.catch_arguments.empty())
      throw UsageError("nothing was checked: no check fits what stands after --");
    throw UsageError("nothing was checked: " + std::string(the_chapter.name) + " has no test case '" +
                     kernel + ": ...'");
  }
  if (expected) return judge_rejection(*expected);
  if (options.expects_failure) return judge_skeleton(the_chapter, kernel);

  const auto runs = run_exhibits(the_chapter, kernel, options.n, record(), *bench.simulated, bench.gpu.get());
  prints.end();
  if (options.prints_ladder) {
    print_ladder(std::cout, the_chapter, record(), runs, bench.gpu_name());
  } else {
    const ScreenContent content{the_chapter,
                                record(),
                                runs,
                                source_of(bench.simulated->program().module()),
                                untouched_kernels(the_chapter, *bench.simulated),
                                bench.gpu_name(),
                                options.is_verbose};
    print_screen(std::cout, content, Paint::for_stdout());
  }
  if (!options.report.empty()) save_report(options.report, the_chapter, module, bench, runs);
  const bool has_problem =
      std::any_of(runs.begin(), runs.end(), [](const ExhibitRun& run) { return !run.problem.empty(); });
  return record().all_passed() && !has_problem ? all_well : check_failed;
}

}  // namespace

int main(int argc, char** argv) {
  const AsciiMarks marks(std::cout);
  try {
    return run(parse_options(std::span<const char* const>(argv + 1, static_cast<std::size_t>(argc - 1))));
  } catch (const std::exception& error) {
    std::cout.flush();
    std::fprintf(stderr, "%s\n", error.what());
    return unusable;
  }
}
