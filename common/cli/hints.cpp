#include "hints.hpp"

#include <sstream>

#include "../harness/paint.hpp"

namespace warpwise::cli {

std::string in_screen_width(std::string_view hint) {
  std::string text, paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) text += harness::wrapped_text(paragraph, 0, 0) + '\n';
    paragraph.clear();
  };
  std::istringstream lines{std::string(hint)};
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.front() != ' ') {
      paragraph += (paragraph.empty() ? "" : " ") + line;
      continue;
    }
    end_paragraph();
    text += line + '\n';
  }
  end_paragraph();
  return text;
}

std::map<std::string, std::size_t> parse_progress(std::string_view text) {
  std::map<std::string, std::size_t> progress;
  std::istringstream lines{std::string(text)};
  std::string kernel;
  for (std::size_t count = 0; lines >> kernel >> count;) progress[kernel] = count;
  return progress;
}

std::string spelled(const std::map<std::string, std::size_t>& progress) {
  std::string text;
  for (const auto& [kernel, count] : progress) text += kernel + " " + std::to_string(count) + "\n";
  return text;
}

}  // namespace warpwise::cli
