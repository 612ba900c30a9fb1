#include "attempt.hpp"

#include <algorithm>

namespace warpwise::harness {

namespace {

std::string spelled(const ExpectedRejection& expected) {
  return expected.kernel + ": " + std::string(name_of(expected.aspect)) +
         (expected.reason.empty() ? "" : ": " + expected.reason);
}

}  // namespace

bool is_rejection(const ExpectedRejection& expected, const Failure& failure) {
  if (failure.is_broken) return false;
  if (!expected.finding) return failure.sentence.find(expected.reason) != std::string::npos;
  return std::any_of(failure.findings.begin(), failure.findings.end(), [&](const simulator::Finding& found) {
    return simulator::name_of(found.kind) == expected.finding->kind && found.line == expected.finding->line;
  });
}

Rejection judge_attempt(const ExpectedRejection& expected, const Record& record) {
  const Verdict* verdict = record.find(expected.kernel, expected.aspect);
  if (verdict == nullptr)
    return {false, "there is no check " + spelled({expected.kernel, expected.aspect, "", {}})};
  for (const Failure& failure : verdict->failures) {
    if (is_rejection(expected, failure)) return {true, failure.test_case + ": " + failure.sentence};
  }
  if (verdict->failures.empty())
    return {false, "not rejected: " + spelled(expected) + " was expected, but that check passed"};
  const Failure& first = verdict->failures.front();
  return {false, "expected " + spelled(expected) + ", but the check " +
                     (first.is_broken ? "broke off: " : "said: ") + first.sentence};
}

}  // namespace warpwise::harness
