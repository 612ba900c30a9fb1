#include "attempt.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace warpwise::harness {

namespace {

std::string spelled(const ExpectedRejection& expected) {
  return expected.kernel + ": " + std::string(name_of(expected.aspect)) + ": " + expected.reason;
}

/// "out[1" does not begin "out[12] is 0".
bool begins_with_words(std::string_view sentence, std::string_view words) {
  const auto is_of_a_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  return sentence.starts_with(words) && (sentence.size() == words.size() || !is_of_a_word(words.back()) ||
                                         !is_of_a_word(sentence[words.size()]));
}

}  // namespace

bool is_rejection(const ExpectedRejection& expected, const Failure& failure) {
  if (failure.is_broken) return false;
  if (!expected.finding) return begins_with_words(failure.sentence, expected.reason);
  return std::any_of(failure.findings.begin(), failure.findings.end(), [&](const simulator::Finding& found) {
    return simulator::name_of(found.kind) == expected.finding->kind && found.line == expected.finding->line;
  });
}

Rejection judge_attempt(const ExpectedRejection& expected, const Record& record) {
  const Verdict* verdict = record.find(expected.kernel, expected.aspect);
  if (verdict == nullptr)
    return {false, "there is no check " + expected.kernel + ": " + std::string(name_of(expected.aspect))};
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
