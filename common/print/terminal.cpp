#include "terminal.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace warpwise::print {
namespace {

/// Every byte of UTF-8 but the continuation bytes 10xxxxxx.
bool starts_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

}  // namespace

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::string wrapped_text(std::string_view text, std::size_t column, std::size_t indent, std::size_t width) {
  std::string result;
  bool is_line_start = true;
  while (!text.empty()) {
    const auto space = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(std::min(space + 1, text.size()));
    if (!is_line_start && column + 1 + columns_of(word) > width) {
      result += '\n' + std::string(indent, ' ');
      column = indent;
      is_line_start = true;
    }
    if (!is_line_start) {
      result += ' ';
      ++column;
    }
    result += word;
    column += columns_of(word);
    is_line_start = false;
  }
  return result;
}

std::string flush_right(std::string_view text, std::size_t width) {
  return std::string(width - std::min(width, columns_of(text)), ' ') + std::string(text);
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

Lines lines_for(int stream) {
  const char* program = std::getenv("TERM_PROGRAM");
  const bool is_editor = program != nullptr && std::string_view(program) == "vscode";
  return isatty(stream) != 0 && !is_editor ? Lines::broken : Lines::whole;
}

std::string fitted(std::string_view text, std::size_t column, std::size_t indent, Lines lines) {
  return lines == Lines::broken ? wrapped_text(text, column, indent) : std::string(text);
}

std::string fitted_command(std::string_view command, std::size_t column, std::size_t indent, Lines lines) {
  if (lines == Lines::whole) return std::string(command);
  std::string text;
  constexpr std::string_view mark = " \\";  // the line goes on
  for (const char c : wrapped_text(command, column, indent, 80 - mark.size())) {
    if (c == '\n') text += mark;
    text += c;
  }
  return text;
}

Paint Paint::for_stdout() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool is_refused = (no_color != nullptr && *no_color != '\0') ||
                          (terminal != nullptr && std::string_view(terminal) == "dumb");
  return Paint(isatty(STDOUT_FILENO) != 0 && !is_refused);
}

}  // namespace warpwise::print
