#include "measurement.hpp"

#include <algorithm>

#include "../harness/temporary_folder.hpp"
#include "../print/tables.hpp"
#include "../report/json.hpp"
#include "build.hpp"
#include "failure.hpp"
#include "process.hpp"
#include "subject.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

/// Runs `command`, which takes `--report FILE`, and reads that.
report::Report report_of(std::vector<std::string> command, const std::string& what) {
  const harness::TemporaryFolder folder;  // its own: another run may be at it
  const fs::path file = folder.path() / "report.json";
  command.insert(command.end(), {"--report", file.string()});
  const ProcessResult result = capture_process(command);
  if (!fs::exists(file))
    throw Failure(what + " could not be measured: " +
                  (result.output.empty() ? "it ended with status " + std::to_string(result.status) + "."
                                         : result.output.substr(0, result.output.find('\n'))));
  return report::read_file(file);
}

/// A kernel of the chapter's solution, or of an attempt.
report::Launch measure_module(const Chapter& chapter, const MeasuredRun& run) {
  const Subject subject = subject_of(chapter, run.of == MeasuredRun::Of::solution, run.name);
  if (!fs::exists(chapter.solution()))
    throw Failure(shown(chapter.solution()) + " is missing, and predictions are measured on it.");
  const BuildResult build = build_targets({chapter.name, subject.target});
  if (!build.is_built) throw Failure(build.messages + "\n" + shown(subject.source) + " does not compile.");
  const std::string kernel = subject.attempt ? subject.attempt->kernel : run.kernel;
  std::vector<std::string> command = {chapter.executable().string(),
                                      subject.module.string(),
                                      "--device",
                                      "sim",
                                      "--no-checks",
                                      "--kernel",
                                      kernel};
  if (run.n != 0) command.insert(command.end(), {"--n", std::to_string(run.n)});
  if (run.block != 0) command.insert(command.end(), {"--block", std::to_string(run.block)});
  const report::Report report = report_of(command, kernel);
  if (const report::Launch* launch = report.launch(chapter.name, kernel, true)) return *launch;
  for (const report::Kernel& described : report.chapters.front().kernels)
    if (described.name == kernel && !described.problem.empty())
      throw Failure(kernel + " could not be measured: " + described.problem);
  throw Failure(kernel + " could not be measured: nothing was launched.");
}

/// A CUDA program beside the lesson, as `exec` runs it.
report::Report report_of_program(const fs::path& program) {
  const fs::path warpwise = build_folder() / "common" / "cli" / "warpwise_cli";
  return report_of(
      {warpwise.string(), "exec", program.string(), "--quiet", "-I" + root_folder().string(), "-std=c++17"},
      shown(program));
}

}  // namespace

report::Launch Measurements::launch_of_program(const MeasuredRun& run) {
  const fs::path program = chapter_.folder / run.name;
  auto known = programs_.find(run.name);
  if (known == programs_.end()) known = programs_.emplace(run.name, report_of_program(program)).first;
  unsigned seen = 0;
  for (const report::Launch& launch : known->second.launches)
    if (launch.report.kernel == run.kernel && ++seen == run.launch) return launch;
  throw Failure(shown(program) + " launches '" + run.kernel + "' " + std::to_string(seen) + " times, not " +
                std::to_string(run.launch) + ".");
}

const Names& Measurements::of(const MeasuredRun& run) {
  const auto known = std::find_if(launches_.begin(), launches_.end(),
                                  [&](const auto& launch) { return launch.first == run; });
  if (known != launches_.end()) return known->second;
  const bool is_program = run.of == MeasuredRun::Of::program;
  const report::Launch launch = is_program ? launch_of_program(run) : measure_module(chapter_, run);
  return launches_.emplace_back(run, names_of(launch)).second;
}

Names names_of(const report::Launch& launch) {
  const simulator::LaunchReport& report = launch.report;
  Names names;
  for (const simulator::CounterField& field : simulator::counter_fields)
    names.emplace(field.name, static_cast<double>(report.counters.*field.member));
  const auto add_list = [&](const std::string& name, const auto& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      names[name + "[" + std::to_string(i) + "]"] = static_cast<double>(values[i]);
  };
  add_list("divergent_branches_by_interval", report.divergent_branches_by_interval);
  if (!report.findings.empty()) add_list("finding_threads", report.findings.front().threads);
  names["shared_wavefronts"] = print::figures::shared_wavefronts.of(launch);
  names["bank_conflicts"] = print::figures::bank_conflicts.of(launch);
  names["global_sectors"] = print::figures::global_sectors.of(launch);
  names["lanes_busy"] = print::figures::lanes_busy.of(launch);
  const auto volume = [](const auto& extent) { return 1.0 * extent[0] * extent[1] * extent[2]; };
  names["blocks"] = volume(report.grid);
  names["threads"] = volume(report.block);
  names["warps"] = names["blocks"] * names["threads"] / 32;
  names["elements"] = static_cast<double>(launch.elements);
  return names;
}

}  // namespace warpwise::cli
