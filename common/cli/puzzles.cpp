#include "puzzles.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <sstream>
#include <stdexcept>

#include "../print/terminal.hpp"
#include "../simulator/launch_report.hpp"
#include "../text/rejection.hpp"
#include "commands.hpp"

namespace warpwise::cli {
namespace {

using text::Lines;

constexpr std::size_t most_lines_changed = 6;  ///< taken away and put in, together
constexpr std::size_t most_lines_shown = 60;
constexpr std::size_t deepest_indent =
    16;  ///< parameters that are aligned below each other begin further left

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == line.npos; }

/// More than a brace.
bool says_something(std::string_view code) {
  return std::any_of(code.begin(), code.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
}

/// Without a comment `//` at its end; what stands in quotes is none.
std::string without_comment(const std::string& line) {
  bool is_quoted = false;
  std::size_t end = line.size();
  for (std::size_t i = 0; i + 1 < line.size() && end == line.size(); ++i) {
    if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) is_quoted = !is_quoted;
    if (!is_quoted && line.compare(i, 2, "//") == 0) end = i;
  }
  const std::size_t last = line.find_last_not_of(' ', end == 0 ? 0 : end - 1);
  return end == 0 || last == line.npos ? "" : line.substr(0, last + 1);
}

/// One place of a difference, as the attempt's own file has it: its lines, and which of them are meant.
struct Place {
  Lines lines;
  std::set<std::size_t> meant;  ///< indices of `lines`
};

std::vector<Place> places_of(const text::Implementation& attempt) {
  std::vector<Place> places(1);
  bool has_added = false;
  std::set<std::size_t> beside_gaps;
  const auto finish = [&] {
    if (!has_added) places.back().meant = beside_gaps;
    has_added = false;
    beside_gaps.clear();
  };
  for (const std::string& line : attempt.difference.lines) {
    Place& place = places.back();
    if (line.starts_with("@@")) {
      finish();
      places.emplace_back();
    } else if (line.starts_with('-')) {
      if (!place.lines.empty()) beside_gaps.insert(place.lines.size() - 1);
      beside_gaps.insert(place.lines.size());
    } else {
      if (line.starts_with('+') && says_something(without_comment(line.substr(1)))) {
        place.meant.insert(place.lines.size());
        has_added = true;
      }
      place.lines.push_back(line.empty() ? "" : line.substr(1));
    }
  }
  finish();
  return places;
}

bool is_small(const text::Implementation& attempt) {
  std::size_t changed = 0;
  for (const std::string& line : attempt.difference.lines) {
    if (line.find("TODO") != line.npos) return false;  // half-written, and says so
    changed += line.starts_with('+') || line.starts_with('-');
  }
  return !attempt.difference.is_block && changed <= most_lines_changed;
}

}  // namespace

std::set<unsigned> changed_lines(const text::Implementation& attempt, const std::string& source) {
  const Lines lines = text::lines_of(source);
  std::set<unsigned> changed;
  for (const Place& place : places_of(attempt)) {
    if (place.lines.empty()) continue;  // all of it was taken away: nothing says where that was
    const auto at = std::search(lines.begin(), lines.end(), place.lines.begin(), place.lines.end());
    if (at == lines.end()) continue;
    for (const std::size_t index : place.meant) {
      const auto line = static_cast<std::size_t>(at - lines.begin()) + index;
      if (line < lines.size()) changed.insert(static_cast<unsigned>(line + 1));
    }
  }
  return changed;
}

std::string code_without_comments(std::string_view source, const std::set<unsigned>& only) {
  std::string code;
  unsigned number = 0;
  for (const std::string& line : text::lines_of(source)) {
    ++number;
    if (!only.empty() && !only.contains(number)) continue;
    const bool is_contract = line.starts_with("///");
    const std::string text = is_contract ? line : without_comment(line);
    if (is_blank(text) || text.starts_with("#include") || text.starts_with("using ")) continue;
    char margin[16];
    std::snprintf(margin, sizeof margin, "%4u | ", number);
    const std::size_t indent = is_contract ? 0 : text.find_first_not_of(' ');
    const std::size_t excess = indent > deepest_indent ? indent - deepest_indent : 0;
    code += margin + print::wrapped_text(text.substr(excess), 7, 7 + indent - excess + 4) + '\n';
  }
  return code;
}

Puzzle puzzle_of(const text::Implementation& attempt, const std::string& source) {
  Puzzle puzzle{attempt, source, {}, {}};
  const std::string code = code_without_comments(source);
  if (!is_small(attempt) ||
      static_cast<std::size_t>(std::count(code.begin(), code.end(), '\n')) > most_lines_shown)
    return puzzle;
  const text::ExpectedRejection expected = text::parse_rejection(source);
  puzzle.lines = changed_lines(attempt, source);
  if (expected.finding) puzzle.lines.insert(expected.finding->line);
  const bool is_unnamed = expected.aspect == report::Aspect::safety && !expected.finding;
  if (is_unnamed || puzzle.lines.empty()) return puzzle;
  puzzle.kind = expected.finding ? expected.finding->kind : std::string(name_of(expected.aspect));
  return puzzle;
}

std::vector<Puzzle> puzzles_of(const ChapterFolder& chapter) {
  std::vector<Puzzle> puzzles;
  if (!chapter.has_solution()) return puzzles;  // they are made from both
  for (const text::Implementation& attempt : chapter.attempts()) {
    Puzzle puzzle = puzzle_of(attempt, text::whole_file(attempt, chapter.solution()));
    if (!puzzle.kind.empty()) puzzles.push_back(std::move(puzzle));
  }
  return puzzles;
}

std::vector<std::string> answer_kinds() {
  std::vector<std::string> kinds = {"result", "technique"};
  for (const std::string_view kind : simulator::finding_kind_names)
    if (kind != "unsupported" && kind != "launch") kinds.emplace_back(kind);
  return kinds;
}

Answer parse_answer(std::string_view words) {
  Answer answer;
  std::string text(words);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == ',' || c == ':'; }, ' ');
  std::istringstream stream(text);
  for (std::string word; stream >> word;) {
    unsigned number = 0;
    if (std::from_chars(word.data(), word.data() + word.size(), number).ptr == word.data() + word.size()) {
      answer.line = number;
      continue;
    }
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (answer.kind.empty() && word != "line") answer.kind = nearest(word, answer_kinds());
  }
  return answer;
}

std::set<unsigned> lines_found_in(const std::filesystem::path& file, const report::Failure& failure) {
  std::set<unsigned> lines;
  const auto add = [&](const std::string& where, unsigned line) {
    if (line != 0 && std::filesystem::path(where).filename() == file.filename()) lines.insert(line);
  };
  for (const simulator::Finding& finding : failure.findings) {
    add(finding.file, finding.line);
    add(finding.other_file, finding.other_line);
  }
  return lines;
}

}  // namespace warpwise::cli
