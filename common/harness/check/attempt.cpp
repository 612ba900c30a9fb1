#include "attempt.hpp"

namespace warpwise::harness {

namespace {

std::string spelled(const ExpectedRejection& expected) {
  return expected.kernel + ": " + std::string(name_of(expected.aspect)) + ": " + expected.reason;
}

}  // namespace

Rejection judge_attempt(const ExpectedRejection& expected, const Record& record) {
  const Verdict* verdict = record.find(expected.kernel, expected.aspect);
  if (verdict == nullptr)
    return {false, "there is no check " + expected.kernel + ": " + std::string(name_of(expected.aspect))};
  for (const Failure& failure : verdict->failures) {
    if (is_rejection(expected, failure)) return {true, spelled(failure)};
  }
  if (verdict->failures.empty())
    return {false, "not rejected: " + spelled(expected) + " was expected, but that check passed"};
  const Failure& first = verdict->failures.front();
  return {false, "expected " + spelled(expected) + ", but the check " +
                     (first.is_broken ? "broke off: " : "said: ") + first.sentence};
}

}  // namespace warpwise::harness
