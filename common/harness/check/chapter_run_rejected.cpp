// The launches that checks reject, made again and recorded.
#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "chapter_run.hpp"
#include "side_by_side.hpp"

namespace warpwise::harness {

namespace {

/// For Catch2: that test case and no other.
std::string pattern_of(const std::string& test_case) {
  std::string pattern;
  for (const char c : test_case) {
    if (std::string_view("\\,[\"").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

/// The block of its first finding and the one before it, and of these more than is usual: a finding may come
/// late.
simulator::TraceLimits limits_for(const Failure& failure) {
  simulator::TraceLimits limits;
  if (failure.findings.empty()) return limits;
  limits.first_block = std::max<std::uint64_t>(failure.findings.front().block, 1) - 1;
  limits.blocks = 2;
  limits.steps *= 3;
  return limits;
}

}  // namespace

report::TraceFile trace_rejected(const report::Report& report, const std::string& kernel,
                                 const Devices& devices) {
  const std::vector<const Failure*> rejected = report.rejected_launches(report.chapters.front().name, kernel);
  const auto recorded = side_by_side(rejected.size(), 1, [&](std::size_t index) {
    const Failure& failure = *rejected[index];
    simulator::TraceRecorder recorder(limits_for(failure), 1);
    devices.simulated->record_launch(failure.launch, recorder);
    run_checks(devices, pattern_of(failure.test_case), {});
    report::TraceFile traces = report::traces_of(recorder, report.chapters.front().name, failure.n);
    for (report::TracedLaunch& traced : traces.launches)
      traced.rejected.push_back(failure), traced.rejected.front().findings.clear();
    return report::json_of(traces);
  });
  report::TraceFile all;
  for (const std::string& text : recorded) {
    report::TraceFile one = report::traces_from(text);
    std::move(one.launches.begin(), one.launches.end(), std::back_inserter(all.launches));
  }
  return all;
}

}  // namespace warpwise::harness
