#include "wrapping.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace warpwise::report {
namespace {

constexpr std::string_view note_mark = "      = ";  // as simulator::format() begins a note

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

Headline headline_for(int stream) {
  const char* program = std::getenv("TERM_PROGRAM");
  const bool is_editor = program != nullptr && std::string_view(program) == "vscode";
  return isatty(stream) != 0 && !is_editor ? Headline::broken : Headline::whole;
}

std::string finding_on_screen(std::string_view finding, std::size_t indent, Headline headline) {
  std::string text;
  for (bool is_first = true; !finding.empty(); is_first = false) {
    const std::string_view line = finding.substr(0, finding.find('\n'));
    finding.remove_prefix(std::min(line.size() + 1, finding.size()));
    const bool is_note = line.starts_with(note_mark);
    const bool is_broken = is_note || (is_first && headline == Headline::broken);
    const std::size_t mark = is_note ? note_mark.size() : 0;
    const std::size_t further = is_note ? mark : 4;  // where the line goes on
    text += std::string(indent, ' ') + std::string(line.substr(0, mark));
    text += is_broken ? wrapped_text(line.substr(mark), indent + mark, indent + further)
                      : std::string(line.substr(mark));
    text += '\n';
  }
  return text;
}

}  // namespace warpwise::report
