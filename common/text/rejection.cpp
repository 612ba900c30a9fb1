#include "rejection.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "difference.hpp"

namespace warpwise::text {

namespace {

constexpr std::string_view start = "// rejected by: ";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

/// The numbers of the lines that `text` means, behind the comment that `source` begins with.
std::vector<unsigned> lines_with(std::string_view source, std::string_view text) {
  const Lines lines = lines_of(source);
  const auto is_comment = [](const std::string& line) { return line.starts_with("//"); };
  const auto first = std::find_if_not(lines.begin(), lines.end(), is_comment) - lines.begin();
  const auto numbers_where = [&](auto is_meant) {
    std::vector<unsigned> numbers;
    for (auto i = static_cast<unsigned>(first); i < lines.size(); ++i)
      if (is_meant(trimmed(lines[i]))) numbers.push_back(i + 1);
    return numbers;
  };
  auto found = numbers_where([&](std::string_view line) { return line == text; });
  if (found.empty())
    found = numbers_where(
        [&](std::string_view line) { return trimmed(line.substr(0, line.find("//"))) == text; });
  if (found.empty())
    found = numbers_where([&](std::string_view line) { return line.find(text) != line.npos; });
  return found;
}

/// " (2nd of 3)" -> 2 and 3; "" -> 1 and 1; anything else -> 0 and 0.
std::pair<std::size_t, std::size_t> parse_which(std::string_view text) {
  if (text.empty()) return {1, 1};
  std::pair<std::size_t, std::size_t> which{0, 0};
  const char* const end = text.data() + text.size();
  if (!text.starts_with(" (")) return {0, 0};
  const char* const ordinal = std::from_chars(text.data() + 2, end, which.first).ptr;
  const std::string_view rest(ordinal, static_cast<std::size_t>(end - ordinal));
  constexpr std::string_view of = " of ";
  if (rest.size() < 2 || rest.substr(2, of.size()) != of) return {0, 0};
  const char* const last = std::from_chars(ordinal + 2 + of.size(), end, which.second).ptr;
  const bool is_whole = last + 1 == end && *last == ')' && which.first >= 1 && which.first <= which.second;
  return is_whole ? which : std::pair<std::size_t, std::size_t>{0, 0};
}

/// The finding of "race at `TEXT`", where `race` is a kind of finding.
std::optional<FindingAt> parse_finding(std::string_view reason, std::string_view source) {
  constexpr std::string_view at = " at `";
  const auto place = reason.find(at);
  const auto end = reason.rfind('`');
  if (place == reason.npos || end < place + at.size() ||
      !simulator::finding_kind_named(reason.substr(0, place)))
    return std::nullopt;
  const std::string_view text = reason.substr(place + at.size(), end - place - at.size());
  const auto [which, count] = parse_which(reason.substr(end + 1));
  if (count == 0) {
    throw std::invalid_argument(
        "after the text of a line there can only be which one it is, as in (2nd of 3), not '" +
        std::string(reason.substr(end + 1)) + "'");
  }
  const std::vector<unsigned> lines = lines_with(source, text);
  if (lines.size() != count) {
    throw std::invalid_argument("the line `" + std::string(text) + "` occurs " +
                                std::to_string(lines.size()) + " times in the attempt, not " +
                                std::to_string(count));
  }
  return FindingAt{std::string(reason.substr(0, place)), lines[which - 1]};
}

/// "n = 33, block = 32: out[1] is 5" does; "out[" and "n = 33" would fit failures that have nothing to do
/// with the attempt.
bool names_case_and_difference(std::string_view reason) {
  const auto colon = reason.find(": ");
  return colon != reason.npos && colon > 0 && colon + 2 < reason.size();
}

/// "out[1" does not begin "out[12] is 0".
bool begins_with_words(std::string_view sentence, std::string_view words) {
  const auto is_of_a_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  return sentence.starts_with(words) && (sentence.size() == words.size() || !is_of_a_word(words.back()) ||
                                         !is_of_a_word(sentence[words.size()]));
}

}  // namespace

ExpectedRejection parse_rejection(std::string_view source) {
  const std::string_view first_line = source.substr(0, source.find('\n'));
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
    const auto finding = parse_finding(reason, source);
    if (reason.empty()) throw malformed("no reason is given");
    if (aspect == Aspect::result && !finding && !names_case_and_difference(reason)) {
      throw malformed(
          "a wrong result is named by its case and by what differs, as in 'n = 31, block = 32: out[0] is "
          "145'");
    }
    return {std::string(rest.substr(0, colon)), aspect, std::string(reason), finding};
  }
  throw malformed("no aspect is named");
}

ExpectedRejection read_rejection(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::invalid_argument(path + ": cannot be read");
  try {
    return parse_rejection(std::string(std::istreambuf_iterator<char>(file), {}));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(path + ":1: " + error.what());
  }
}

bool is_rejection(const ExpectedRejection& expected, const report::Failure& failure) {
  if (failure.is_broken) return false;
  if (!expected.finding) return begins_with_words(failure.sentence, expected.reason);
  return std::any_of(failure.findings.begin(), failure.findings.end(), [&](const simulator::Finding& found) {
    return simulator::name_of(found.kind) == expected.finding->kind && found.line == expected.finding->line;
  });
}

std::string spelled(const report::Failure& failure) { return failure.test_case + ": " + failure.sentence; }

}  // namespace warpwise::text
