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
  const bool is_alone = !options.catch_arguments.empty() || options.threads != 0 || devices.gpu != nullptr;
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

/// What one process judges: all of a kernel, or one aspect of it.
struct Part {
  std::string kernel;
  std::optional<Aspect> aspect;
};
std::string checks_of(const Part& part) {
  if (!part.aspect) return tag_of(part.kernel);
  if (*part.aspect != Aspect::result) return tag_of(part.kernel) + tag_of(name_of(*part.aspect));
  return tag_of(part.kernel) + "~[technique]~[safety]";
}

/// The kernels; or of the one that is asked for its aspects, the result last: it takes longest, so its
/// process begins first (side_by_side.hpp).
std::vector<Part> parts_to_judge(const std::string& kernel) {
  std::vector<Part> parts;
  if (kernel.empty()) {
    for (const ChapterKernel& entry : chapter().kernels)
      parts.push_back({std::string(entry.kernel.text), std::nullopt});
    return parts;
  }
  for (const Aspect aspect : {Aspect::safety, Aspect::technique, Aspect::result})
    if (std::ranges::any_of(test_cases(), [&](const TestCase& each) {
          return each.kernel == kernel && each.aspect == aspect;
        }))
      parts.push_back({kernel, aspect});
  return parts;
}

/// What the checks of a part have come to and printed; and of the kernel, with its result, a launch that is
/// not wrong.
struct JudgedPart {
  report::Report report;
  std::string printed[2];
  bool is_slow = false;  ///< a launch has spent its budget
};
std::vector<JudgedPart> judge_each(const Options& options, const Devices& devices, unsigned processes,
                                   const std::vector<Part>& parts) {
  const auto results = side_by_side(parts.size(), processes, [&](std::size_t job) {
    const Part& part = parts[job];
    std::string printed[2];
    auto& launch = devices.simulated->options().launch;
    launch.threads = 1;
    launch.print = [&](std::string_view text) { printed[0] += text; };
    report::Report report = run_checks(devices, checks_of(part), {});
    launch.print = [&](std::string_view text) { printed[1] += text; };
    if (!part.aspect || &part == &parts.back()) add_launches(report, devices, part.kernel, options.n);
    return std::to_string(printed[0].size()) + ' ' + std::to_string(printed[1].size()) + ' ' +
           (devices.simulated->has_spent_budget() ? '1' : '0') + '\n' + printed[0] + printed[1] +
           report::json_of(report);
  });
  std::vector<JudgedPart> all;
  for (const std::string& text : results) {
    JudgedPart& one = all.emplace_back();
    std::istringstream words(text);
    std::size_t sizes[2];
    words >> sizes[0] >> sizes[1] >> one.is_slow;
    std::size_t at = text.find('\n') + 1;
    for (const int i : {0, 1}) one.printed[i] = text.substr(std::exchange(at, at + sizes[i]), sizes[i]);
    one.report = report::report_from(std::string_view(text).substr(at));
  }
  return all;
}

/// All kernels of the chapter, or the one that is asked for. The report, and what is shown, are those of one
/// process, which makes all checks first.
report::Report judged_side_by_side(const Options& options, const Devices& devices, unsigned processes,
                                   const std::function<void(std::string_view)>& show) {
  std::vector<JudgedPart> judged = judge_each(options, devices, processes, parts_to_judge(options.kernel));
  if (!options.kernel.empty()) {
    std::ranges::reverse(judged);
    // Once endless, always endless: what the next check may spend depends on those before it.
    if (std::ranges::any_of(judged, &JudgedPart::is_slow))
      judged = judge_each(options, devices, 1, {{options.kernel, std::nullopt}});
  }
  for (const int i : {0, 1})
    for (const JudgedPart& one : judged) show(one.printed[i]);
  report::Report whole = report_of(chapter());
  report::Chapter& described = whole.chapters.front();
  for (JudgedPart& part : judged) {
    report::Report& one = part.report;
    for (std::size_t k = 0; k < described.kernels.size(); ++k)
      described.kernels[k].problem += one.chapters.front().kernels[k].problem;
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
    if (report.verdicts.empty()) end_without_verdict(options, kernel);
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
