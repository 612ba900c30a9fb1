// The main function of every chapter's executable.
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <limits>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "../../report/json.hpp"
#include "../../report/trace_file.hpp"
#include "../../text/installation.hpp"
#include "../../text/source.hpp"
#include "../screen_content.hpp"
#include "cases.hpp"
#include "chapter_run.hpp"
#include "side_by_side.hpp"

namespace {

using namespace warpwise::harness;
namespace text = warpwise::text;
namespace print = warpwise::print;
namespace report = warpwise::report;

[[noreturn]] void end_without_verdict(const Options& options, const std::string& kernel) {
  throw UsageError("nothing was checked: " + std::string(chapter().name) +
                   (options.catch_arguments.empty() ? " has no test case of " + kernel
                                                    : " has no such test case; --list-tests names them"));
}

/// What a launch of each kernel came to, right or wrong: counters and findings.
report::Report unjudged_report(const Devices& devices, const std::string& kernel, std::optional<unsigned> n) {
  report::Report report = report_of(chapter());
  const Silence silence(*devices.simulated);
  measure_kernels(report, chapter(), kernel, n, *devices.simulated, devices.gpu.get(), Judged::no);
  return report;
}

/// All that is known of the chapter's module without a launch.
void describe(report::Chapter& described, const Devices& devices) {
  described.source = source_of(devices.simulated->program().module());
  described.gpu = devices.gpu_name();
  for (report::Kernel& one : described.kernels)
    one.is_untouched = writes_nothing(devices.simulated->program(), one.name);
}

/// A launch of each kernel, or of `kernel` alone, for the counters: not of what the checks call wrong.
void add_launches(report::Report& report, const Devices& devices, const std::string& kernel,
                  std::optional<unsigned> n) {
  measure_kernels(report, chapter(), kernel, n, *devices.simulated, devices.gpu.get());
}

/// How many processes judge at the same time. One, where somebody chooses what runs, or a GPU is timed.
unsigned processes_for(const Options& options, const Devices& devices) {
  const bool is_alone = !options.kernel.empty() || !options.catch_arguments.empty() || options.threads != 0 ||
                        devices.gpu != nullptr;
  return is_alone ? 1 : std::max(1u, std::thread::hardware_concurrency());
}

/// The order in which the test cases are declared, in which one process would have come to them.
void order_as_declared(std::vector<Verdict>& verdicts) {
  const auto& all = test_cases();
  const auto place = [&](const Verdict& verdict) {
    return std::find_if(all.begin(), all.end(), [&](const TestCase& each) {
      return each.kernel == verdict.kernel && each.aspect == verdict.aspect;
    });
  };
  std::stable_sort(verdicts.begin(), verdicts.end(),
                   [&](const Verdict& a, const Verdict& b) { return place(a) < place(b); });
}

std::string tag_of(std::string_view name) { return "[" + std::string(name) + "]"; }

/// What the checks of a kernel, and a launch of it that is not wrong, have come to and printed.
struct JudgedKernel {
  report::Report report;
  std::string printed[2];
};
std::vector<JudgedKernel> judge_each(const Options& options, const Devices& devices, unsigned processes,
                                     const std::vector<std::string>& kernels) {
  const auto results = side_by_side(kernels.size(), processes, [&](std::size_t job) {
    std::string printed[2];
    auto& launch = devices.simulated->options().launch;
    launch.threads = 1;
    launch.print = [&](std::string_view text) { printed[0] += text; };
    report::Report report = run_checks(devices, tag_of(kernels[job]), {});
    launch.print = [&](std::string_view text) { printed[1] += text; };
    add_launches(report, devices, kernels[job], options.n);
    return std::to_string(printed[0].size()) + ' ' + std::to_string(printed[1].size()) + '\n' + printed[0] +
           printed[1] + report::json_of(report);
  });
  std::vector<JudgedKernel> all;
  for (const std::string& text : results) {
    JudgedKernel& one = all.emplace_back();
    std::istringstream words(text);
    std::size_t sizes[2];
    words >> sizes[0] >> sizes[1];
    std::size_t at = text.find('\n') + 1;
    for (const int i : {0, 1}) one.printed[i] = text.substr(std::exchange(at, at + sizes[i]), sizes[i]);
    one.report = report::report_from(std::string_view(text).substr(at));
  }
  return all;
}

/// All kernels of the chapter. The report, and what is shown, are those of one process, which makes all
/// checks first.
report::Report judged_side_by_side(const Options& options, const Devices& devices, unsigned processes,
                                   const std::function<void(std::string_view)>& show) {
  report::Report whole = report_of(chapter());
  report::Chapter& described = whole.chapters.front();
  std::vector<std::string> kernels;
  for (const report::Kernel& kernel : described.kernels) kernels.push_back(kernel.name);
  std::vector<JudgedKernel> judged = judge_each(options, devices, processes, kernels);
  for (const int i : {0, 1})
    for (const JudgedKernel& one : judged) show(one.printed[i]);
  for (std::size_t k = 0; k < judged.size(); ++k) {
    report::Report& one = judged[k].report;
    described.kernels[k].problem = one.chapters.front().kernels[k].problem;
    std::move(one.verdicts.begin(), one.verdicts.end(), std::back_inserter(whole.verdicts));
    std::move(one.launches.begin(), one.launches.end(), std::back_inserter(whole.launches));
  }
  order_as_declared(whole.verdicts);
  judge_borrowed(chapter(), devices.simulated->program(), whole);
  describe(described, devices);
  return whole;
}

bool all_passed(const report::Report& report) {
  return std::all_of(report.verdicts.begin(), report.verdicts.end(),
                     [](const Verdict& verdict) { return verdict.outcome == Outcome::passed; });
}

/// The chapter as it is declared: its kernels, and their checks, of which none has run.
report::Report declared() {
  report::Report report = report_of(chapter());
  const std::string name(chapter().name);
  for (const TestCase& each : test_cases())
    if (report.verdict(name, each.kernel, each.aspect) == nullptr)
      report.verdicts.push_back({each.kernel, each.aspect, Outcome::not_checked, {}, name});
  return report;
}

bool has_problem(const report::Chapter& chapter) {
  return std::any_of(chapter.kernels.begin(), chapter.kernels.end(),
                     [](const report::Kernel& kernel) { return !kernel.problem.empty(); });
}

/// The test cases that are asked for, as Catch2 takes them; empty: all. An attempt is judged by the aspect
/// that is to reject it, and a kernel that somebody has written is no skeleton.
std::string checks_to_run(const Options& options, const CheckedChapter& chapter,
                          const std::optional<text::ExpectedRejection>& expected,
                          const SimulatedDevice& device) {
  if (expected) return tag_of(expected->kernel) + tag_of(name_of(expected->aspect));
  if (!options.kernel.empty()) return tag_of(options.kernel);
  std::string checks;
  for (const ChapterKernel& entry : chapter.kernels) {
    const bool is_asked_for =
        options.expects_failure &&
        text::read_source(source_of(device.program().module())).is_skeleton(entry.kernel.text);
    if (is_asked_for) checks += (checks.empty() ? "" : ",") + tag_of(entry.kernel.text);
  }
  return checks;
}

/// The file that --trace asks for: of the launches for the counters, or of smaller ones where nothing is
/// checked.
void write_trace(const Options& options, const std::string& kernel, SimulatedDevice& device) {
  if (options.block) device.choose_block(*options.block);
  const std::string schedule = options.schedule.empty() ? "converged" : options.schedule;
  const UnderSchedule under(device, schedule);
  const auto usual_n = options.runs_no_checks ? [](const ChapterKernel& entry) { return entry.shown_n; }
                                              : [](const ChapterKernel& entry) { return entry.n; };
  report::write_file(options.trace, trace_kernels(chapter(), kernel, usual_n, options.n, device));
}

/// The launches that the checks reject; nothing where they reject none.
report::TraceFile rejected_traces(const Options& options, const Devices& devices) {
  const Silence silence(*devices.simulated);
  const std::vector<std::string> judged = side_by_side(
      1, 1, [&](std::size_t) { return report::json_of(run_checks(devices, tag_of(options.kernel), {})); });
  return trace_rejected(report::report_from(judged.front()), options.kernel, devices);
}

int check_module(const Options& options) {
  const std::string module =
      options.module.empty() ? (text::program_folder() / "exercise.ptx").string() : options.module;
  std::optional<text::ExpectedRejection> expected;
  if (!options.expected_rejection.empty()) expected = text::read_rejection(options.expected_rejection);
  const std::string kernel = expected ? expected->kernel : options.kernel;

  const Devices devices = load_devices(options.device, module);
  expect_kernels(chapter(), kernel, *devices.simulated, module);

  devices.simulated->options().launch.threads = options.threads;
  devices.simulated->set_kernel_budget(options.kernel_budget);
  set_run_seed(options.seed);

  constexpr std::uint64_t most_lines = 100;  // a screen or two; the verdict stands below them
  if (options.runs_no_checks) {
    if (options.block) devices.simulated->choose_block(*options.block);
    report::TraceFile rejected;
    if (options.traces_rejected) rejected = rejected_traces(options, devices);
    if (!rejected.launches.empty())
      report::write_file(options.trace, rejected);
    else if (!options.trace.empty())
      write_trace(options, kernel, *devices.simulated);
    if (!options.report.empty())
      report::write_file(options.report, unjudged_report(devices, kernel, options.n));
    return all_well;
  }

  Prints prints(std::cout, options.is_verbose ? std::numeric_limits<std::uint64_t>::max() : most_lines);
  const auto show = [&](std::string_view text) {
    if (!options.is_quiet && !options.catch2_reports()) prints.show(text);
  };
  devices.simulated->options().launch.print = show;

  const std::string checks = checks_to_run(options, chapter(), expected, *devices.simulated);
  if (expected || options.expects_failure) {
    report::Report report = run_checks(devices, checks, options.catch_arguments);
    if (report.verdicts.empty()) end_without_verdict(options, kernel);
    judge_borrowed(chapter(), devices.simulated->program(), report);
    if (!expected)
      return judge_skeleton(chapter(), report, source_of(devices.simulated->program().module()), kernel);
    if (!options.report.empty()) report::write_file(options.report, report);
    return judge_rejection(*expected, report);
  }

  report::Report report;
  if (const unsigned processes = processes_for(options, devices); processes > 1) {
    report = judged_side_by_side(options, devices, processes, show);
  } else {
    report = run_checks(devices, checks, options.catch_arguments);
    if (report.verdicts.empty()) end_without_verdict(options, kernel);
    judge_borrowed(chapter(), devices.simulated->program(), report);
    describe(report.chapters.front(), devices);
    if (!options.catch2_reports() || !options.report.empty())
      add_launches(report, devices, kernel, options.n);
  }
  prints.end();
  const std::string contract = contract_file(chapter());
  if (!options.catch2_reports()) {
    print::ScreenContent content = screen_content(report, contract);
    content.is_verbose = options.is_verbose;
    if (options.shows_lines) content.line_costs = source_line_reader();
    content.lines = print::lines_for(STDOUT_FILENO);
    content.rows = print::rows_for(STDOUT_FILENO);
    content.unpredicted = options.unpredicted;
    print_screen(std::cout, content, print::Paint::for_stdout());
  }
  if (!options.report.empty()) report::write_file(options.report, report);
  if (!options.trace.empty()) write_trace(options, kernel, *devices.simulated);
  if (!all_passed(report) || has_problem(report.chapters.front())) return check_failed;
  return options.hardware_table.empty() ? all_well : judge_counters(report, options.hardware_table);
}

/// A kernel of a family is judged with the others, under the name of one of them.
Options with_judged_kernel(Options options) {
  const ChapterKernel* const entry = chapter().find(options.kernel);
  if (entry == nullptr || entry->kernel.text == options.kernel) return options;
  std::cout << options.kernel << " is judged with its family, under the name of " << entry->kernel.text
            << "\n\n";
  options.kernel = entry->kernel.text;
  return options;
}

int end_with(const std::exception& error, int status) {
  std::cout.flush();
  std::fprintf(stderr, "%s\n", error.what());
  return status;
}

int run(const Options& options) {
  if (options.wants_help) {
    std::cout << usage(std::string(chapter().name));
    return all_well;
  }
  if (options.lists_kernels) {
    std::cout << report::json_of(declared());
    return all_well;
  }
  if (options.catch2_only_lists()) {
    run_checks({}, "", options.catch_arguments);
    return all_well;
  }
  return check_module(with_judged_kernel(options));
}

}  // namespace

int main(int argc, char** argv) {
#ifdef M_MMAP_THRESHOLD  // what one launch frees the next one needs again, without a fault for each page
  mallopt(M_MMAP_THRESHOLD, 1 << 25);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
  const print::AsciiMarks marks(std::cout);
  try {
    return run(parse_options(std::span<const char* const>(argv + 1, static_cast<std::size_t>(argc - 1))));
  } catch (const UsageError& error) {
    return end_with(error, wrong_usage);
  } catch (const std::exception& error) {
    return end_with(error, unusable);
  }
}
