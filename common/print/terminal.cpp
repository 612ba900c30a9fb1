#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <ostream>
#include <utility>

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

std::string_view first_columns(std::string_view text, std::size_t columns) {
  std::size_t end = 0;
  for (std::size_t column = 0; end < text.size(); ++end)
    if (starts_character(text[end]) && column++ == columns) break;
  return text.substr(0, end);
}

std::string shortened(std::string_view text, std::size_t width) {
  if (columns_of(text) <= width) return std::string(text);
  return std::string(first_columns(text, width - 3)) + "...";
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

std::size_t rows_for(int stream) {
  winsize size{};
  const bool is_known = lines_for(stream) == Lines::broken && ioctl(stream, TIOCGWINSZ, &size) == 0;
  return is_known ? size.ws_row : 0;
}

std::string fitted_rows(std::vector<std::string> parts, std::size_t needed, std::size_t rows) {
  const auto joined = [&] { return std::accumulate(parts.begin(), parts.end(), std::string()); };
  std::string text = joined();
  if (needed == 0 || rows == 0 || static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) < rows)
    return text;
  const auto part = parts.begin() + static_cast<std::ptrdiff_t>(needed);
  std::rotate(part, part + 1, parts.end() - 1);
  return joined();
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

// --- Findings ---------------------------------------------------------------------------------------------

std::string finding_on_screen(const simulator::Finding& finding, std::size_t indent, Lines lines) {
  std::string text;
  for (const simulator::FindingLine& line : simulator::lines_of(finding)) {
    const std::size_t column = indent + line.mark.size();
    text += std::string(indent, ' ') + line.mark +
            fitted(line.text, column, column + (line.is_note ? 0 : 4), line.is_note ? Lines::broken : lines) +
            '\n';
  }
  return text;
}

std::string headline(const simulator::Finding& finding) {
  std::string text = std::string(simulator::name_of(finding.kind)) + ": " + finding.message;
  if (finding.line == 0) return text;
  const auto slash = finding.file.rfind('/');
  const std::string file = slash == std::string::npos ? finding.file : finding.file.substr(slash + 1);
  return file + ":" + std::to_string(finding.line) + ": " + text;
}

std::string kinds_and_lines(const std::vector<simulator::Finding>& findings) {
  std::vector<std::pair<std::string, std::vector<std::string>>> lines_by_kind;
  for (const simulator::Finding& finding : findings) {
    const std::string kind(simulator::name_of(finding.kind));
    auto entry = std::find_if(lines_by_kind.begin(), lines_by_kind.end(),
                              [&](const auto& known) { return known.first == kind; });
    if (entry == lines_by_kind.end()) entry = lines_by_kind.insert(entry, {kind, {}});
    if (finding.line != 0) entry->second.push_back(std::to_string(finding.line));
  }
  std::string text;
  for (const auto& [kind, lines] : lines_by_kind) {
    text += (text.empty() ? "" : ", ") + kind;
    for (std::size_t i = 0; i < lines.size(); ++i)
      text += (i == 0 ? (lines.size() == 1 ? " at line " : " at lines ")
                      : (i + 1 == lines.size() ? " and " : ", ")) +
              lines[i];
  }
  return text;
}

std::vector<simulator::Finding> causes_of(const std::vector<simulator::Finding>& findings) {
  std::vector<simulator::Finding> causes;
  std::copy_if(findings.begin(), findings.end(), std::back_inserter(causes),
               [](const simulator::Finding& one) { return !one.follows; });
  return causes.empty() ? findings : causes;
}

std::string consequences(const std::vector<simulator::Finding>& findings) {
  std::vector<simulator::Finding> effects;
  std::copy_if(findings.begin(), findings.end(), std::back_inserter(effects),
               [](const simulator::Finding& one) { return one.follows; });
  if (effects.empty() || effects.size() == findings.size()) return {};
  return "and " + std::to_string(effects.size()) +
         (effects.size() == 1 ? " finding that follows: " : " findings that follow: ") +
         kinds_and_lines(effects);
}

// --- Marks ------------------------------------------------------------------------------------------------

namespace {

constexpr std::pair<std::string_view, std::string_view> spellings[] = {
    {"✓", "+"}, {"✗", "x"},  {"·", "-"},  {"→", "->"}, {"…", "..."}, {"×", "x"}, {"−", "-"}, {"–", "-"},
    {"—", "-"}, {"≤", "<="}, {"≥", ">="}, {"²", "^2"}, {"─", "-"},   {"│", "|"}, {"├", "+"}, {"└", "+"},
    {"┌", "+"}, {"┐", "+"},  {"┘", "+"},  {"┤", "+"},  {"┬", "+"},   {"┴", "+"}, {"┼", "+"}, {"█", "#"},
};

/// How many bytes a character takes that starts with `lead`.
std::size_t length_of(char lead) {
  const auto bits = static_cast<unsigned char>(lead);
  return bits < 0xC0 ? 1 : bits < 0xE0 ? 2 : bits < 0xF0 ? 3 : 4;
}

}  // namespace

bool is_utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string locale = value;
    std::transform(locale.begin(), locale.end(), locale.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return locale.find("utf-8") != locale.npos || locale.find("utf8") != locale.npos;
  }
  return false;
}

AsciiBuffer::~AsciiBuffer() { pass_on(); }

AsciiBuffer::int_type AsciiBuffer::overflow(int_type c) {
  if (!traits_type::eq_int_type(c, traits_type::eof())) put(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

std::streamsize AsciiBuffer::xsputn(const char* text, std::streamsize count) {
  for (std::streamsize i = 0; i < count; ++i) put(text[i]);
  return count;
}

int AsciiBuffer::sync() {
  pass_on();
  return inner_.pubsync();
}

void AsciiBuffer::put(char c) {
  if (starts_character(c)) pass_on();  // what came before it is no character
  character_ += c;
  if (character_.size() >= length_of(character_.front())) pass_on();
}

void AsciiBuffer::pass_on() {
  std::string_view spelled = character_;
  for (const auto& [mark, ascii] : spellings) {
    if (mark == spelled) spelled = ascii;
  }
  inner_.sputn(spelled.data(), static_cast<std::streamsize>(spelled.size()));
  character_.clear();
}

AsciiMarks::AsciiMarks(std::ostream& stream) : stream_(stream), own_(stream.rdbuf()) {
  if (is_utf8_locale()) return;
  ascii_ = std::make_unique<AsciiBuffer>(*own_);
  stream_.rdbuf(ascii_.get());
}

AsciiMarks::~AsciiMarks() {
  stream_.flush();
  stream_.rdbuf(own_);
}

}  // namespace warpwise::print
