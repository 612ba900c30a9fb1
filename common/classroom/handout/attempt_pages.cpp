#include "attempt_pages.hpp"

#include <sstream>
#include <vector>

namespace warpwise::classroom {
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
    } else if (!held_back.are_shown_in(each.text)) {
      text += heading + each.text;
      heading.clear();
      has_paragraphs = true;
    }
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return has_paragraphs ? text : "";
}

}  // namespace warpwise::classroom
