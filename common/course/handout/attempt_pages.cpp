#include "attempt_pages.hpp"

#include <sstream>
#include <vector>

#include "../../text/kernel_page.hpp"

namespace warpwise::course {
namespace {

/// A heading and what stands below it; the first one has what stands above all headings.
struct Paragraph {
  std::string mark;  ///< "## "
  std::string text;
};

std::vector<Paragraph> paragraphs_of(std::string_view page) {
  std::istringstream lines{std::string(page)};
  std::vector<Paragraph> paragraphs(1);
  bool is_in_block = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) is_in_block = !is_in_block;
    const bool is_heading = !is_in_block && (line.starts_with("## ") || line.starts_with("### "));
    if (is_heading) paragraphs.push_back({line.substr(0, line.find(' ') + 1), ""});
    paragraphs.back().text += line + '\n';
  }
  return paragraphs;
}

/// Whether it is a solution of a kernel that is held back, by its own words or by its code.
bool is_held_back(const SolutionLines& held_back, const Paragraph& paragraph) {
  const std::size_t mark = paragraph.text.find(text::also_right_mark);
  if (mark != std::string::npos) {
    const std::size_t begin = mark + text::also_right_mark.size();
    for (const std::string& kernel : text::names_in(
             std::string_view(paragraph.text).substr(begin, paragraph.text.find('\n', begin) - begin)))
      if (held_back.has_kernel(kernel)) return true;
  }
  return held_back.are_shown_in(paragraph.text);
}

}  // namespace

std::string without_differences(std::string_view page) {
  std::istringstream lines{std::string(page)};
  std::string text;
  bool is_in_block = false;
  for (std::string line; std::getline(lines, line);) {
    const bool is_fence = line.starts_with("```");
    const bool is_second_blank = line.empty() && text.ends_with("\n\n");
    if (!is_fence && !is_in_block && !is_second_blank) text += line + '\n';
    if (is_fence) is_in_block = !is_in_block;
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

std::string without_paragraphs_showing(const SolutionLines& held_back, std::string_view page,
                                       std::string_view paragraph_mark) {
  const std::vector<Paragraph> paragraphs = paragraphs_of(page);
  std::string text = paragraphs.front().text;
  std::string heading;  // of a kernel, until one of its paragraphs is kept
  bool has_paragraphs = false;
  for (std::size_t i = 1; i < paragraphs.size(); ++i) {
    const Paragraph& each = paragraphs[i];
    if (each.mark != paragraph_mark) {
      heading = each.text;
    } else if (!is_held_back(held_back, each)) {
      text += heading + each.text;
      heading.clear();
      has_paragraphs = true;
    }
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return has_paragraphs ? text : "";
}

}  // namespace warpwise::course
