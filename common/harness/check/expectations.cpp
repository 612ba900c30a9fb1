#include "expectations.hpp"

#include <algorithm>
#include <charconv>

#include "../../print/terminal.hpp"
#include "../../simulator/program.hpp"

namespace warpwise::harness {

namespace {

template <class T>
std::string shortest(T value) {
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  return std::string(digits, end);
}

/// "n = 256, block = 32"; empty where the n of the launch is not known.
Case case_of(const Count& count) {
  if (!count.n()) return {};
  return {.n = count.n(), .block = count.launch().block[0]};
}

void expect_amount(bool holds, std::string_view what, const Amount& actual, const char* relation, Limit limit,
                   std::string_view why) {
  if (holds) return;
  std::string sentence =
      std::string(what) + ": " + text_of(actual.value) + ", " + relation + " " + text_of(limit.value);
  if (!why.empty()) sentence += " (" + std::string(why) + ")";
  const bool is_too_much = actual.value > limit.value;
  fail(sentence, {.where = actual.count ? spelled(case_of(*actual.count)) : "",
                  .lines = actual.count && is_too_much ? lines_that_spend(*actual.count)
                                                       : std::vector<report::LineShare>{}});
}

}  // namespace

Case case_of(unsigned n, const LaunchShape& shape, std::string note) {
  return {.n = n, .block = shape.block.x, .grid = shape.grid.x, .note = std::move(note)};
}

std::string spelled(const Case& where) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (where.n) add("n = " + std::to_string(*where.n));
  if (where.block) add("block = " + std::to_string(*where.block));
  if (where.grid) add("grid = " + std::to_string(*where.grid));
  if (!where.note.empty()) add(where.note);
  return text;
}

namespace {
std::string sentence_of(const std::vector<simulator::Finding>& findings) {
  const std::string first = print::headline(findings.front());
  return findings.size() == 1 ? first : first + " (and " + std::to_string(findings.size() - 1) + " more)";
}
}  // namespace

void fail(const std::string& sentence, Explanation explanation) {
  throw CheckFailed(sentence, std::move(explanation));
}

std::string text_of(float value) { return shortest(value); }

std::string text_of(double value) {
  // A reference in double of a float result: 17 digits would only hide the ones that matter.
  const auto rounded = static_cast<float>(value);
  if (static_cast<double>(rounded) == value) return shortest(rounded);
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 9).ptr;
  return std::string(digits, end);
}

namespace detail {

std::string sentence_of(const Mismatch& mismatch) {
  std::string text = mismatch.array + "[" + std::to_string(mismatch.index) + "]";
  text += mismatch.actual ? " is " + *mismatch.actual : " was never written";
  text += ", expected " + mismatch.expected;
  if (mismatch.size > 1) {
    // Where all of them are unwritten, the first says so.
    const std::string unwritten = mismatch.unwritten == 0 || mismatch.unwritten == mismatch.count
                                      ? ""
                                      : ", " + std::to_string(mismatch.unwritten) + " never written";
    text += mismatch.count == 1 ? " (the only one of " + std::to_string(mismatch.size) + " that is wrong)"
                                : " (" + std::to_string(mismatch.count) + " of " +
                                      std::to_string(mismatch.size) + " are wrong" + unwritten + ")";
  }
  if (!mismatch.place.empty()) text += ", " + mismatch.place;
  return text;
}

void fail_at(const Mismatch& mismatch, const Case& where) {
  fail(sentence_of(mismatch), {.where = spelled(where), .names_writers = true});
}

void fail_unwritten(const std::string& array, std::size_t index, const std::string& place,
                    const Case& where) {
  fail(array + "[" + std::to_string(index) + "] was never written" + (place.empty() ? "" : ", " + place),
       {.where = spelled(where)});
}

void fail_sizes(const std::string& array, std::size_t size, std::size_t expected) {
  // The check is wrong, not the kernel: must not count as a rejection.
  throw std::logic_error("the check expects " + std::to_string(expected) + " elements of `" + array +
                         "`, which has " + std::to_string(size));
}

}  // namespace detail

void expect_element(const Buffer<float>& buffer, std::size_t index, double expected, double bound,
                    const Case& where) {
  const float actual = buffer.download().at(index);
  const bool is_written = !is_poison(&actual, sizeof actual) || buffer.is_written(index);
  const auto found = static_cast<double>(actual);
  if (is_written && (is_same(found, expected) || std::abs(found - expected) <= bound)) return;
  detail::fail_at({.array = buffer.name(),
                   .index = index,
                   .size = 1,
                   .count = 1,
                   .actual = is_written ? std::optional(text_of(actual)) : std::nullopt,
                   .expected = text_of(expected),
                   .place = buffer.memory().place()},
                  where);
}

void expect_made_of(const Buffer<float>& buffer, const std::string& what, double found, double expected,
                    const Case& where, double bound) {
  const std::string place = buffer.memory().place();
  expect_that(
      is_same(found, expected) || std::abs(found - expected) <= bound, where,
      what + ' ' + text_of(found) + ", expected " + text_of(expected) + (place.empty() ? "" : ", " + place));
}

void expect_at_most(std::string_view what, const Amount& actual, Limit limit, std::string_view why) {
  expect_amount(actual.value <= limit.value, what, actual, "at most", limit, why);
}
void expect_at_least(std::string_view what, const Amount& actual, Limit limit, std::string_view why) {
  expect_amount(actual.value >= limit.value, what, actual, "at least", limit, why);
}
void expect_equal_count(std::string_view what, const Amount& actual, Limit expected, std::string_view why) {
  expect_amount(actual.value == expected.value, what, actual, "expected", expected, why);
}

void expect_that(bool holds, const std::string& sentence) {
  if (!holds) fail(sentence);
}
void expect_that(bool holds, const Case& where, const std::string& sentence) {
  if (!holds) fail(sentence, {.where = spelled(where)});
}

void expect_no_findings(const Launch& launch) {
  const auto& findings = launch.findings();
  if (findings.empty()) return;
  fail(sentence_of(findings), {.findings = findings});
}

namespace {

using simulator::LaunchReport;
using simulator::LineCounters;

constexpr std::size_t most_lines = 3;

/// "24 of the 32", or "75 % of them".
std::string share_text(double share, double whole, std::optional<double> pieces) {
  if (pieces) return text_of(share / *pieces) + " of the " + text_of(whole / *pieces);
  return text_of(std::round(100 * share / whole)) + " % of them";
}

/// The lines that spend most of `counter`; `text(share)` says what of it a line spends.
template <class Text>
std::vector<report::LineShare> top_lines(const LaunchReport& launch, const Counter& counter, Text text) {
  std::vector<const LineCounters*> lines;
  for (const LineCounters& line : launch.lines)
    if (counter.in(line.counters) > 0) lines.push_back(&line);
  std::stable_sort(lines.begin(), lines.end(), [&](const LineCounters* a, const LineCounters* b) {
    return counter.in(a->counters) > counter.in(b->counters);
  });
  if (lines.size() > most_lines) lines.resize(most_lines);
  simulator::SourceTexts texts;
  std::vector<report::LineShare> shares;
  for (const LineCounters* line : lines)
    shares.push_back({line->file, line->line, texts.line({line->file, line->line}),
                      text(static_cast<double>(counter.in(line->counters)))});
  return shares;
}

}  // namespace

std::vector<report::LineShare> lines_that_spend(const Count& count) {
  const auto whole = static_cast<double>(count.counter().in(count.launch().counters));
  return top_lines(count.launch(), count.counter(),
                   [&](double share) { return share_text(share, whole, count.pieces()); });
}

std::vector<report::LineShare> lines_that_write(const LaunchReport& launch) {
  constexpr Counter writes{&Counters::global_store_requests, &Counters::global_atomic_requests};
  return top_lines(launch, writes, [](double) { return std::string(report::writes_results); });
}

}  // namespace warpwise::harness
