#include "pages.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <vector>

namespace warpwise::course {

const std::string_view later_note = "> *This comes with the solutions.*";

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  Lines lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::string indent_of(const std::string& line) {
  return line.substr(0, std::min(line.find_first_not_of(' '), line.size()));
}

bool is_fence(const std::string& line) { return line.compare(indent_of(line).size(), 3, "```") == 0; }

/// "solution.cu" of "<!-- code: solution.cu#tree -->"; empty where the line is no such mark.
std::string marked_file(const std::string& line) {
  constexpr std::string_view start = "<!-- code: ";
  const std::size_t begin = indent_of(line).size();
  const std::size_t hash = line.find('#');
  if (line.compare(begin, start.size(), start) != 0 || hash == line.npos) return {};
  return line.substr(begin + start.size(), hash - begin - start.size());
}

/// The line with `...` for each `span of code` that shows a line of a solution.
std::string without_spans(const std::string& line, const SolutionLines& lines) {
  std::string text;
  std::size_t at = 0;
  for (std::size_t open = line.find('`'); open != line.npos; open = line.find('`', at)) {
    const std::size_t close = line.find('`', open + 1);
    if (close == line.npos) break;
    const std::string span = line.substr(open, close + 1 - open);
    text += line.substr(at, open - at) + (lines.are_shown_in(span) ? "`...`" : span);
    at = close + 1;
  }
  return text + line.substr(at);
}

/// A sentence, or code that is indented and stands in no block.
std::string without_code(const std::string& line, const SolutionLines& lines) {
  if (!lines.are_shown_in(line)) return line;
  const std::string text = without_spans(line, lines);
  return lines.are_shown_in(text) ? indent_of(line) + "..." : text;
}

/// The index behind the block that begins at `first`.
std::size_t end_of_block(const Lines& lines, std::size_t first) {
  std::size_t at = first + 1;
  while (at < lines.size() && !is_fence(lines[at])) ++at;
  return std::min(at + 1, lines.size());
}

bool is_numbered(const std::string& line) {
  std::size_t digits = 0;
  while (digits < line.size() && std::isdigit(static_cast<unsigned char>(line[digits]))) ++digits;
  return digits > 0 && line.compare(digits, 2, ". ") == 0;
}

}  // namespace

std::string without_solutions(std::string_view page, const SolutionLines& solution_lines,
                              const std::function<bool(const std::string& file)>& is_handed_out) {
  const Lines lines = lines_of(page);
  Lines kept;
  for (std::size_t at = 0; at < lines.size();) {
    const std::string file = marked_file(lines[at]);
    const bool is_marked = !file.empty() && at + 1 < lines.size() && is_fence(lines[at + 1]);
    const std::size_t block = at + (is_marked ? 1 : 0);
    if (!is_fence(lines[block])) {
      kept.push_back(without_code(lines[at++], solution_lines));
      continue;
    }
    const std::size_t end = end_of_block(lines, block);
    const Lines whole(lines.begin() + static_cast<long>(at), lines.begin() + static_cast<long>(end));
    if ((is_marked && !is_handed_out(file)) || solution_lines.are_shown_in(joined(whole)))
      kept.push_back(indent_of(lines[block]) + std::string(later_note));
    else
      kept.insert(kept.end(), whole.begin(), whole.end());
    at = end;
  }
  return joined(kept);
}

std::string with_notice(std::string_view page, const std::string& notice) {
  const std::size_t end = std::min(page.find('\n'), page.size());
  return std::string(page.substr(0, end)) + "\n\n> " + notice + '\n' +
         std::string(page.substr(std::min(end + 1, page.size())));
}

std::string without_last_hints(std::string_view page) {
  Lines kept;
  std::size_t last = 0;   // where in `kept` the kernel's last hint begins
  std::size_t count = 0;  // of the kernel's hints
  const auto drop_last = [&] {
    if (count > 1) kept.resize(last);
    count = 0;
  };
  for (const std::string& line : lines_of(page)) {
    if (line.starts_with("## ")) {
      const bool has_dropped = count > 1;
      drop_last();
      if (has_dropped) kept.emplace_back();
    }
    if (is_numbered(line)) {
      last = kept.size();
      ++count;
    }
    kept.push_back(line);
  }
  drop_last();
  return joined(kept);
}

}  // namespace warpwise::course
