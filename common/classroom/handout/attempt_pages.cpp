#include "attempt_pages.hpp"

#include <sstream>

namespace warpwise::classroom {

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

}  // namespace warpwise::classroom
