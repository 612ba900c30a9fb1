#include "attempt.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <stdexcept>

namespace warpwise::harness {

namespace {

constexpr std::string_view start = "// rejected by: ";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

struct FindingAt {
  std::string_view kind;
  unsigned line = 0;
};

/// "race at 14", where `race` is a kind of finding.
std::optional<FindingAt> parse_finding(std::string_view reason) {
  constexpr std::string_view at = " at ";
  const auto place = reason.find(at);
  if (place == std::string_view::npos) return std::nullopt;
  FindingAt found{reason.substr(0, place), 0};
  const std::string_view digits = reason.substr(place + at.size());
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), found.line);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  for (int i = 0; i <= static_cast<int>(simulator::FindingKind::unsupported); ++i) {
    if (simulator::name_of(static_cast<simulator::FindingKind>(i)) == found.kind) return found;
  }
  return std::nullopt;
}

std::string spelled(const ExpectedRejection& expected) {
  return expected.kernel + ": " + std::string(name_of(expected.aspect)) +
         (expected.reason.empty() ? "" : ": " + expected.reason);
}

}  // namespace

ExpectedRejection parse_rejection(std::string_view first_line) {
  const auto malformed = [&](const char* what) {
    return std::invalid_argument(std::string(what) +
                                 ": the first line of an attempt is '// rejected by: KERNEL: "
                                 "result|technique|safety: REASON', not '" +
                                 std::string(first_line) + "'");
  };
  if (!first_line.starts_with(start)) throw malformed("no check is named");
  const std::string_view rest = trimmed(first_line.substr(start.size()));
  const auto colon = rest.find(':');
  if (colon == std::string_view::npos || colon == 0) throw malformed("no kernel is named");
  const std::string_view behind = trimmed(rest.substr(colon + 1));
  const std::string_view word = trimmed(behind.substr(0, behind.find(':')));
  for (const Aspect aspect : all_aspects) {
    if (word != name_of(aspect)) continue;
    const auto second = behind.find(':');
    const std::string_view reason =
        second == std::string_view::npos ? "" : trimmed(behind.substr(second + 1));
    return {std::string(rest.substr(0, colon)), aspect, std::string(reason)};
  }
  throw malformed("no aspect is named");
}

ExpectedRejection read_rejection(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!file || !std::getline(file, line)) throw std::invalid_argument(path + ": cannot be read");
  try {
    return parse_rejection(line);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(path + ":1: " + error.what());
  }
}

bool is_rejection(const ExpectedRejection& expected, const Failure& failure) {
  if (failure.is_broken) return false;
  if (const auto finding = parse_finding(expected.reason)) {
    return std::any_of(
        failure.findings.begin(), failure.findings.end(), [&](const simulator::Finding& found) {
          return simulator::name_of(found.kind) == finding->kind && found.line == finding->line;
        });
  }
  return failure.sentence.find(expected.reason) != std::string::npos;
}

Rejection judge_attempt(const ExpectedRejection& expected, const Record& record) {
  const Verdict* verdict = record.find(expected.kernel, expected.aspect);
  if (verdict == nullptr)
    return {false, "there is no check " + spelled({expected.kernel, expected.aspect, ""})};
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
