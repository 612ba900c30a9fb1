#pragma once
/// \file Text on a terminal: its width, its colours, marks where there is no UTF-8; and findings.

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include "../simulator/launch_report.hpp"

namespace warpwise::print {

// --- Width ------------------------------------------------------------------------------------------------

/// Columns of a terminal that UTF-8 text takes; every code point counts as one.
std::size_t columns_of(std::string_view text);

/// Breaks `text` at spaces into lines of at most `width` columns; all but the first start with `indent`
/// spaces. `column` is where the first line starts. A word that is longer than a line has one of its own.
std::string wrapped_text(std::string_view text, std::size_t column, std::size_t indent,
                         std::size_t width = 80);

/// Behind as many blanks as `width` columns leave.
std::string flush_right(std::string_view text, std::size_t width);
inline std::string flush_right(std::uint64_t number, std::size_t width) {
  return flush_right(std::to_string(number), width);
}

/// The first `columns` of UTF-8 text.
std::string_view first_columns(std::string_view text, std::size_t columns);

/// At most `width` columns, with "..." where something was left out.
std::string shortened(std::string_view text, std::size_t width);

/// Without the spaces and tabs at its start.
std::string_view unindented(std::string_view line);

/// Each line of `text` after `indent` spaces; ends with a newline.
std::string indented(std::string_view text, std::size_t indent);

/// How what has no fixed width is printed: in one line, for editors (.vscode/tasks.json) and other programs;
/// or broken at spaces, for a screen of 80 columns.
enum class Lines { whole, broken };

/// What suits those who read file descriptor `stream`: broken on a terminal that is none of VS Code's.
Lines lines_for(int stream);

/// The rows of that terminal; 0: of any number, as for those who read file descriptor `stream` whole.
std::size_t rows_for(int stream);

/// The parts of a screen in their order; where they fill `rows` (0: any number), part `needed` comes last but
/// one instead, so that it has not scrolled away. 0: none is needed more than others.
std::string fitted_rows(std::vector<std::string> parts, std::size_t needed, std::size_t rows);

/// `text`, as wrapped_text() breaks it where it is to be broken.
std::string fitted(std::string_view text, std::size_t column, std::size_t indent, Lines lines);

/// The same of a command for the shell: broken as the shell reads it, so that it can be copied.
std::string fitted_command(std::string_view command, std::size_t column, std::size_t indent, Lines lines);

// --- Findings ---------------------------------------------------------------------------------------------

/// All of it, after `indent` spaces; notes and help are always broken, the first line and source lines as
/// `lines` says. Each line ends with a newline.
std::string finding_on_screen(const simulator::Finding& finding, std::size_t indent, Lines lines);

/// Its first line, without the folders of its file: "exercise.cu:14: race: thread 32 reads ...".
std::string headline(const simulator::Finding& finding);

/// "race at line 16, out-of-bounds at lines 12 and 20"
std::string kinds_and_lines(const std::vector<simulator::Finding>& findings);

/// Those that do not follow from others; all, if there are only such.
std::vector<simulator::Finding> causes_of(const std::vector<simulator::Finding>& findings);
/// "and 2 findings that follow: uninitialised at lines 12 and 20"; empty where there are none.
std::string consequences(const std::vector<simulator::Finding>& findings);

// --- Colours ----------------------------------------------------------------------------------------------

/// Wraps text in colours, or leaves it as it is where there is no terminal.
class Paint {
 public:
  explicit Paint(bool is_on) : is_on_(is_on) {}
  /// On where stdout is a terminal, unless NO_COLOR is set (no-color.org) or TERM is "dumb".
  static Paint for_stdout();

  std::string good(std::string_view text) const { return wrapped("\033[32m", text); }
  std::string bad(std::string_view text) const { return wrapped("\033[31m", text); }
  std::string faint(std::string_view text) const { return wrapped("\033[2m", text); }
  std::string strong(std::string_view text) const { return wrapped("\033[1m", text); }

 private:
  std::string wrapped(const char* code, std::string_view text) const {
    return is_on_ ? code + std::string(text) + "\033[0m" : std::string(text);
  }
  bool is_on_;
};

// --- Marks such as ✓ and → for terminals that cannot show them --------------------------------------------

/// Whether text is UTF-8 here: what LC_ALL says, else LC_CTYPE, else LANG (POSIX, Base Definitions 8.2).
bool is_utf8_locale();

/// Passes text on to another buffer with our own marks spelled in ASCII: ✓ as +, ✗ as x, → as ->. Characters
/// that are not ours, such as those of a path, stay as they are.
class AsciiBuffer : public std::streambuf {
 public:
  explicit AsciiBuffer(std::streambuf& inner) : inner_(inner) {}
  ~AsciiBuffer() override;

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize count) override;
  int sync() override;

 private:
  void put(char c);
  void pass_on();
  std::streambuf& inner_;
  std::string character_;  ///< the bytes so far of one that takes several
};

/// While it lives, what is written to `stream` goes through an AsciiBuffer, unless the locale is UTF-8. Made
/// at the start of main, and nowhere else.
class AsciiMarks {
 public:
  explicit AsciiMarks(std::ostream& stream);
  ~AsciiMarks();
  AsciiMarks(const AsciiMarks&) = delete;  ///< it puts the stream's own buffer back once

 private:
  std::ostream& stream_;
  std::streambuf* own_;
  std::unique_ptr<AsciiBuffer> ascii_;
};

}  // namespace warpwise::print
