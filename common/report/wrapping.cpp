#include "wrapping.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace warpwise::report {
namespace {

// As simulator::format() begins a note, and what it puts behind the number of a source line.
constexpr std::string_view note_mark = "      = ", code_mark = " |     ";

}  // namespace

std::size_t columns_of(std::string_view text) {
  // Every byte of UTF-8 but the continuation bytes 10xxxxxx.
  const auto starts_character = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; };
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

std::string finding_on_screen(std::string_view finding, std::size_t indent, Lines lines) {
  std::string text;
  while (!finding.empty()) {
    const std::string_view line = finding.substr(0, finding.find('\n'));
    finding.remove_prefix(std::min(line.size() + 1, finding.size()));
    const bool is_note = line.starts_with(note_mark);
    const std::size_t code = line.find(code_mark);
    const bool is_code =
        code != line.npos && line.substr(0, code).find_first_not_of(" 0123456789") == line.npos;
    const std::size_t mark = is_note ? note_mark.size() : is_code ? code + code_mark.size() : 0;
    text += std::string(indent, ' ') + std::string(line.substr(0, mark)) +
            fitted(line.substr(mark), indent + mark, indent + mark + (is_note ? 0 : 4),
                   is_note ? Lines::broken : lines) +
            '\n';
  }
  return text;
}

}  // namespace warpwise::report
