#include "handout.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "../../text/hints.hpp"
#include "../../text/kernel_page.hpp"

namespace warpwise::course {

const std::string_view later_note = "> *This comes with the solutions.*";

namespace {

using text::joined;
using text::Lines;
using text::lines_of;

std::string indent_of(const std::string& line) {
  return line.substr(0, std::min(line.find_first_not_of(' '), line.size()));
}

bool is_fence(const std::string& line) { return line.compare(indent_of(line).size(), 3, "```") == 0; }

/// "solution.cu" of "<!-- code: solution.cu#tree -->"; empty if the line is no such mark.
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
  std::size_t last = 0, count = 0;  // of the section: where in `kept` its last hint begins
  const auto end_section = [&] {
    if (count > 1) kept.resize(last);
    count = 0;
  };
  for (const std::string& line : lines_of(page)) {
    if (line.starts_with("## ")) end_section();
    if (line.starts_with(text::hint_begin)) last = kept.size(), ++count;
    kept.push_back(line);
  }
  end_section();
  while (!kept.empty() && kept.back().empty()) kept.pop_back();
  return joined(kept);
}

namespace {

/// A heading and what stands below it; the first one has what stands above all headings.
struct Paragraph {
  std::string heading, text;  ///< the text begins with the heading
};

std::vector<Paragraph> paragraphs_of(std::string_view page) {
  std::vector<Paragraph> paragraphs(1);
  bool is_in_block = false;
  for (const std::string& line : lines_of(page)) {
    if (line.starts_with("```")) is_in_block = !is_in_block;
    const bool is_heading =
        !is_in_block && (line.starts_with("# ") || line.starts_with("## ") || line.starts_with("### "));
    if (is_heading) paragraphs.push_back({line, ""});
    paragraphs.back().text += line + '\n';
  }
  return paragraphs;
}

std::string without_block(const std::string& paragraph) {
  std::string text;
  bool is_in_block = false;
  for (const std::string& line : lines_of(paragraph)) {
    const bool is_fence = line.starts_with("```");
    const bool is_second_blank = line.empty() && text.ends_with("\n\n");
    if (!is_fence && !is_in_block && !is_second_blank) text += line + '\n';
    if (is_fence) is_in_block = !is_in_block;
  }
  return text;
}

/// Whether the paragraph about the implementation `name` is a solution of a kernel that is held back, by the
/// page's own words or by its code.
bool is_held_back(const SolutionLines& held_back, const std::string& name, const Paragraph& paragraph,
                  const std::vector<text::Implementation>& implementations) {
  const auto implementation =
      std::find_if(implementations.begin(), implementations.end(),
                   [&](const text::Implementation& each) { return each.is_right() && each.name == name; });
  const bool is_solution =
      implementation != implementations.end() &&
      std::any_of(implementation->also_right_as.begin(), implementation->also_right_as.end(),
                  [&](const std::string& kernel) { return held_back.has_kernel(kernel); });
  return is_solution || held_back.are_shown_in(paragraph.text);
}

}  // namespace

std::string kernel_page_with(const PageParts& parts, std::string_view page, const std::string& path,
                             const SolutionLines& held_back) {
  const std::vector<text::Implementation> implementations = text::implementations_on_page(page, path);
  std::string text, name, section;
  std::string of_kernel, of_section;  // what stands below these headings, as long as it is not in the text
  for (const Paragraph& each : paragraphs_of(page)) {
    if (each.heading.starts_with("# ")) {
      name = text::names_in_heading(each.heading).front();
      of_kernel = each.text;
      of_section.clear();
    } else if (each.heading.starts_with("## ")) {
      section = each.heading;
      of_section = each.text;
    } else if (!each.heading.empty()) {
      const bool is_attempt = section == text::attempts_heading;
      const bool is_sentence = is_attempt && parts.attempts == PageParts::Attempts::as_sentences;
      if (is_attempt ? parts.attempts == PageParts::Attempts::none : !parts.has_accepted) continue;
      if (!is_sentence && is_held_back(held_back, name + '_' + each.heading.substr(4), each, implementations))
        continue;
      text += of_kernel + of_section + (is_sentence ? without_block(each.text) : each.text);
      of_kernel.clear();
      of_section.clear();
    }
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

std::string listing_of(std::string_view whole_file, std::size_t shown, const SolutionLines& held_back) {
  std::string text;
  std::size_t number = 0;
  for (const std::string& line : lines_of(whole_file)) {
    const bool is_first = ++number == 1;  // a comment: what rejects it
    const bool has_code = !code_of(line).empty() && line.compare(indent_of(line).size(), 2, "//") != 0;
    if (is_first)
      text += "// An attempt. Its lines come with the solutions.";
    else if (number == shown && !held_back.are_shown_in(line))
      text += line;
    else if (has_code)
      text += indent_of(line) + "...";
    text += '\n';
  }
  return text;
}

namespace {

using Exists = std::function<bool(const std::string& target)>;

/// The `[` that belongs to the `]` at `close`; npos: none.
std::size_t opening_bracket(const std::string& line, std::size_t close) {
  int depth = 0;
  for (std::size_t at = close + 1; at-- > 0;) {
    if (line[at] == ']') ++depth;
    if (line[at] == '[' && --depth == 0) return at;
  }
  return line.npos;
}

/// The file that `target` names; empty if it is an address, or a place of the same page.
std::string file_of(const std::string& target) {
  if (target.find(':') != target.npos) return {};
  return target.substr(0, target.find_first_of("# "));
}

std::string without_dead(std::string line, const Exists& exists) {
  for (std::size_t close = line.find("]("); close != line.npos; close = line.find("](", close + 1)) {
    const std::size_t open = opening_bracket(line, close);
    const std::size_t end = line.find(')', close);
    if (open == line.npos || end == line.npos) continue;
    const std::string file = file_of(line.substr(close + 2, end - close - 2));
    if (file.empty() || exists(file)) continue;
    const std::string text = line.substr(open + 1, close - open - 1);
    const bool is_picture = open > 0 && line[open - 1] == '!';
    const std::size_t begin = is_picture ? open - 1 : open;
    line.replace(begin, end + 1 - begin, is_picture ? "*" + text + "*" : text);
    close = begin;
  }
  return line;
}

}  // namespace

std::string without_dead_links(std::string_view page, const Exists& exists) {
  std::istringstream lines{std::string(page)};
  std::string text, comment, paragraph;
  bool is_in_block = false;
  const auto end_paragraph = [&] {  // as a whole: the words of a link may stand on two lines
    const std::string kept = without_dead(paragraph, exists);
    if (kept == paragraph) text += comment;  // else it is about a picture that is gone
    text += kept;
    comment.clear();
    paragraph.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const bool is_fence = line.compare(begin, 3, "```") == 0;
    if (is_fence || is_in_block || begin == line.size()) {
      end_paragraph();
      text += line + '\n';
    } else if (line.starts_with("<!-- picture: ")) {
      end_paragraph();
      comment = line + '\n';
    } else {
      paragraph += line + '\n';
    }
    is_in_block = is_in_block != is_fence;
  }
  end_paragraph();
  return text;
}

}  // namespace warpwise::course
