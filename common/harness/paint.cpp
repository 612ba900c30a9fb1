#include "paint.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace warpwise::harness {
namespace {

/// Every byte of UTF-8 but the continuation bytes 10xxxxxx.
bool starts_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

}  // namespace

Paint Paint::for_stdout() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool is_refused = (no_color != nullptr && *no_color != '\0') ||
                          (terminal != nullptr && std::string_view(terminal) == "dumb");
  return Paint(isatty(STDOUT_FILENO) != 0 && !is_refused);
}

std::string shortened(std::string_view text, std::size_t width) {
  if (columns_of(text) <= width) return std::string(text);
  std::size_t end = 0;
  for (std::size_t column = 0; end < text.size(); ++end) {
    if (starts_character(text[end]) && column++ == width - 3) break;
  }
  return std::string(text.substr(0, end)) + "...";
}

std::string_view unindented(std::string_view line) {
  return line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
}

std::string indented(std::string_view text, std::size_t indent) {
  std::string result;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    result += std::string(line.empty() ? 0 : indent, ' ') + std::string(line) + '\n';
  }
  return result;
}

}  // namespace warpwise::harness
