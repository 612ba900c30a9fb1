#include "hints.hpp"

#include <cctype>
#include <sstream>

#include "../print/terminal.hpp"

namespace warpwise::text {
namespace {

/// "2. text": the length of "2. ", else 0.
std::size_t number_length(std::string_view line) {
  std::size_t digits = 0;
  while (digits < line.size() && std::isdigit(static_cast<unsigned char>(line[digits]))) ++digits;
  return digits > 0 && line.substr(digits, 2) == ". " ? digits + 2 : 0;
}

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(" \n") + 1);
  return text;
}

}  // namespace

std::vector<KernelHints> parse_hints(std::string_view markdown) {
  std::vector<KernelHints> kernels;
  std::istringstream lines{std::string(markdown)};
  std::size_t indent = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ")) {
      kernels.push_back({trimmed(line.substr(3)), {}});
      continue;
    }
    if (kernels.empty()) continue;
    std::vector<std::string>& hints = kernels.back().hints;
    if (const std::size_t length = number_length(line); length != 0) {
      indent = length;
      hints.push_back(line.substr(length) + "\n");
    } else if (!hints.empty()) {
      const std::size_t spaces = std::min(line.find_first_not_of(' '), indent);
      hints.back() += line.substr(std::min(spaces, line.size())) + "\n";
    }
  }
  for (KernelHints& kernel : kernels) {
    for (std::string& hint : kernel.hints) hint = trimmed(hint);
  }
  return kernels;
}

std::string in_screen_width(std::string_view hint) {
  std::string text, paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) text += print::wrapped_text(paragraph, 0, 0) + '\n';
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

}  // namespace warpwise::text
