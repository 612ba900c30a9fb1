#include "chapter_run.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <vector>

#include "../../text/files.hpp"
#include "../../text/source.hpp"

namespace warpwise::harness {

void judge_borrowed(const CheckedChapter& chapter, const simulator::Program& program,
                    report::Report& report) {
  for (const ChapterKernel& entry : chapter.kernels) {
    const std::string kernel(entry.kernel.text);
    if (!entry.is_exercise || report.verdict(chapter.name, kernel, Aspect::technique) == nullptr) continue;
    const std::string loan = borrowed_by(program, kernel);
    if (loan.empty()) continue;
    Failure failure;
    failure.test_case = kernel + ": technique, written by yourself";
    failure.sentence = loan;
    report.add(chapter.name, kernel, Aspect::technique, {failure});
  }
}

namespace {

/// Whether a check broke off, so that the run proves nothing about the kernels; prints the first that did.
bool has_broken_off(const report::Report& report) {
  for (const Verdict& verdict : report.verdicts)
    for (const Failure& failure : verdict.failures) {
      if (!failure.is_broken) continue;
      std::cout << "the check itself stopped: " << failure.test_case << ": " << failure.sentence << '\n';
      return true;
    }
  return false;
}

}  // namespace

int judge_skeleton(const CheckedChapter& chapter, const report::Report& report, const std::string& source,
                   const std::string& kernel) {
  if (has_broken_off(report)) return unusable;
  int status = all_well;
  for (const ChapterKernel& entry : chapter.kernels) {
    if (!entry.is_exercise || (!kernel.empty() && entry.kernel.text != kernel)) continue;
    if (!text::read_source(source).is_skeleton(entry.kernel.text)) {
      std::cout << entry.kernel.text << ": already written, so no longer a skeleton\n";
      continue;
    }
    const Verdict* verdict = report.verdict(chapter.name, entry.kernel.text, Aspect::result);
    if (verdict != nullptr && verdict->outcome == Outcome::failed) {
      std::cout << entry.kernel.text << ": fails, as a skeleton must: " << verdict->failures.front().sentence
                << '\n';
    } else {
      std::cout << entry.kernel.text
                << (verdict == nullptr ? ": has no result check\n"
                                       : ": passes its result check, though it is a skeleton\n");
      status = check_failed;
    }
  }
  return status;
}

namespace {

std::string spelled(const text::ExpectedRejection& expected) {
  return expected.kernel + ": " + std::string(name_of(expected.aspect)) + ": " + expected.reason;
}

}  // namespace

Rejection judge_attempt(const text::ExpectedRejection& expected, const report::Report& report) {
  const Verdict* verdict = report.verdict(report.chapters.front().name, expected.kernel, expected.aspect);
  if (verdict == nullptr)
    return {false, "there is no check " + expected.kernel + ": " + std::string(name_of(expected.aspect))};
  for (const Failure& failure : verdict->failures) {
    if (text::is_rejection(expected, failure)) return {true, text::spelled(failure)};
  }
  if (verdict->failures.empty())
    return {false, "not rejected: " + spelled(expected) + " was expected, but that check passed"};
  const Failure& first = verdict->failures.front();
  return {false, "expected " + spelled(expected) + ", but the check " +
                     (first.is_broken ? "broke off: " : "said: ") + first.sentence};
}

int judge_rejection(const text::ExpectedRejection& expected, const report::Report& report) {
  if (has_broken_off(report)) return unusable;
  const Rejection rejection = judge_attempt(expected, report);
  std::cout << (rejection.is_as_expected ? "rejected, as it must be: " : "") << rejection.sentence << '\n';
  return rejection.is_as_expected ? all_well : check_failed;
}

namespace {

/// 0 for a kernel that was not launched: then the hardware's count differs.
std::uint64_t simulated_count(const report::Report& report, const std::string& kernel,
                              const std::string& counter) {
  const report::Launch* launch = report.launch(report.chapters.front().name, kernel, true);
  const auto field = std::find_if(std::begin(simulator::counter_fields), std::end(simulator::counter_fields),
                                  [&](const simulator::CounterField& one) { return one.name == counter; });
  if (launch == nullptr || field == std::end(simulator::counter_fields)) return 0;
  return launch->report.counters.*field->member;
}

}  // namespace

HardwareComparison compare_with_hardware(const report::Report& report, std::string_view table) {
  HardwareComparison comparison;
  std::istringstream lines{std::string(table)};
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> fields = text::tab_separated(line);
    if (fields.size() != 6 || fields[0] != report.chapters.front().name || fields[5] != "=") continue;
    const std::string simulated = std::to_string(simulated_count(report, fields[1], fields[2]));
    if (simulated != fields[4])
      comparison.differences +=
          fields[1] + ", " + fields[2] + ": simulated " + simulated + ", hardware " + fields[4] + '\n';
    ++comparison.compared;
  }
  return comparison;
}

int judge_counters(const report::Report& report, const std::string& table_path) {
  std::ifstream file(table_path, std::ios::binary);
  if (!file) throw UsageError(table_path + ": cannot be read");
  const auto comparison =
      compare_with_hardware(report, std::string(std::istreambuf_iterator<char>(file), {}));
  if (comparison.compared == 0) {
    std::cout << table_path << " has nothing of " << report.chapters.front().name
              << ": nothing was compared\n";
    return check_failed;
  }
  if (comparison.differences.empty()) {
    std::cout << comparison.compared << " counters are those of the hardware\n";
    return all_well;
  }
  std::cout << "The simulator does not count what the hardware counted:\n" << comparison.differences;
  return check_failed;
}

}  // namespace warpwise::harness
