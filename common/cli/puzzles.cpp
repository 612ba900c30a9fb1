#include "puzzles.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <iterator>
#include <optional>
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

constexpr char mark = '\1';  ///< no source has it

/// `attempt` with a mark behind each line that was put in, and a line of one mark where something was only
/// taken away: what shares a place with what was put in has none.
text::Implementation with_marks(text::Implementation attempt) {
  Lines marked;
  std::optional<std::size_t> gap;  // in `marked`, at this place of the difference
  bool has_added = false;
  const auto finish = [&] {
    if (gap && !has_added) marked.insert(marked.begin() + static_cast<long>(*gap), std::string{'+', mark});
    gap.reset();
    has_added = false;
  };
  for (const std::string& line : attempt.difference.lines) {
    const bool is_added = line.starts_with('+') && says_something(without_comment(line.substr(1)));
    if (line.starts_with("@@")) finish();
    if (line.starts_with('-') && !gap) gap = marked.size();
    has_added = has_added || is_added;
    marked.push_back(is_added ? line + mark : line);
  }
  finish();
  attempt.difference.lines = std::move(marked);
  return attempt;
}

/// The numbers of the lines of each function, its comment left out.
struct Span {
  unsigned first = 0, last = 0;
  bool has(unsigned line) const { return first <= line && line <= last; }
};
std::vector<Span> functions_in(const std::string& source) {
  std::vector<Span> spans;
  const text::Source parsed{source};
  for (const text::Function& function : parsed.functions()) {
    const auto length = static_cast<unsigned>(std::count(function.code.begin(), function.code.end(), '\n'));
    spans.push_back({static_cast<unsigned>(function.line), static_cast<unsigned>(function.line) + length});
  }
  return spans;
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

std::set<unsigned> changed_lines(const text::Implementation& attempt, const text::Source& solution) {
  Lines source;
  std::set<unsigned> changed;
  std::vector<std::size_t> gaps;  // in front of these lines
  for (std::string& line : text::lines_of(text::whole_file(with_marks(attempt), solution))) {
    if (line == std::string{mark}) {
      gaps.push_back(source.size());
      continue;
    }
    if (line.ends_with(mark)) {
      line.pop_back();
      changed.insert(static_cast<unsigned>(source.size() + 1));
    }
    source.push_back(std::move(line));
  }
  const std::vector<Span> functions = functions_in(text::joined(source));
  for (const std::size_t gap : gaps)
    for (const Span& function : functions) {
      if (!function.has(static_cast<unsigned>(gap)) || !function.has(static_cast<unsigned>(gap + 1)))
        continue;
      // Up and down: to the next line that is shown, and on to one that says more than a brace.
      const auto add_from = [&](unsigned line, int step) {
        for (; function.has(line); line += static_cast<unsigned>(step)) {
          const std::string code = without_comment(source[line - 1]);
          if (!is_blank(code)) changed.insert(line);
          if (says_something(code)) return;
        }
      };
      add_from(static_cast<unsigned>(gap), -1);
      add_from(static_cast<unsigned>(gap + 1), 1);
    }
  return changed;
}

std::set<unsigned> in_their_functions(const std::set<unsigned>& lines, const std::set<unsigned>& changed,
                                      const std::string& source) {
  std::set<unsigned> kept;
  for (const Span& function : functions_in(source))
    if (std::any_of(changed.begin(), changed.end(), [&](unsigned line) { return function.has(line); }))
      std::copy_if(lines.begin(), lines.end(), std::inserter(kept, kept.end()),
                   [&](unsigned line) { return function.has(line); });
  return kept;
}

namespace {

/// Where a changed line declares an array in shared memory: the lines that use it.
std::set<unsigned> uses_of_arrays(const std::set<unsigned>& changed, const std::string& source) {
  const Lines lines = text::lines_of(source);
  std::set<unsigned> uses;
  for (const unsigned line : changed) {
    const std::string& code = lines[line - 1];
    const std::size_t end = code.find('[');
    if (code.find("__shared__") == code.npos || end == code.npos) continue;
    std::size_t begin = end;
    while (begin > 0 && text::is_of_name(code[begin - 1])) --begin;
    const std::string use = code.substr(begin, end - begin) + "[";
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::size_t at = without_comment(lines[i]).find(use);
      if (at != std::string::npos && (at == 0 || !text::is_of_name(lines[i][at - 1])))
        uses.insert(static_cast<unsigned>(i + 1));
    }
  }
  return in_their_functions(uses, changed, source);
}

}  // namespace

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

Puzzle puzzle_of(const text::Implementation& attempt, const text::Source& solution) {
  Puzzle puzzle{attempt, text::whole_file(attempt, solution), {}, {}};
  const std::string code = code_without_comments(puzzle.source);
  if (!is_small(attempt) ||
      static_cast<std::size_t>(std::count(code.begin(), code.end(), '\n')) > most_lines_shown)
    return puzzle;
  const text::ExpectedRejection expected = text::parse_rejection(puzzle.source);
  puzzle.lines = changed_lines(attempt, solution);
  const std::set<unsigned> changed = puzzle.lines;
  puzzle.lines.merge(uses_of_arrays(changed, puzzle.source));
  if (expected.finding)
    puzzle.lines.merge(in_their_functions({expected.finding->line}, changed, puzzle.source));
  const bool is_unnamed = expected.aspect == report::Aspect::safety && !expected.finding;
  if (is_unnamed || puzzle.lines.empty()) return puzzle;
  puzzle.kind = expected.finding ? expected.finding->kind : std::string(name_of(expected.aspect));
  return puzzle;
}

std::vector<Puzzle> puzzles_of(const ChapterFolder& chapter) {
  std::vector<Puzzle> puzzles;
  if (!chapter.has_solution()) return puzzles;  // they are made from both
  for (const text::Implementation& attempt : chapter.attempts()) {
    Puzzle puzzle = puzzle_of(attempt, chapter.solution());
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
