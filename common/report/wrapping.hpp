#pragma once
/// \file Text in the width of a screen: of the chapters' screens, and of programs that `exec` runs.

#include <cstddef>
#include <string>
#include <string_view>

namespace warpwise::report {

/// Columns of a terminal that UTF-8 text takes; every code point counts as one.
std::size_t columns_of(std::string_view text);

/// Breaks `text` at spaces into lines of at most `width` columns; all but the first start with `indent`
/// spaces. `column` is where the first line starts. A word that is longer than a line has one of its own.
std::string wrapped_text(std::string_view text, std::size_t column, std::size_t indent,
                         std::size_t width = 80);

/// How what has no fixed width is printed: in one line, for editors (.vscode/tasks.json) and other programs;
/// or broken at spaces, for a screen of 80 columns.
enum class Lines { whole, broken };

/// What suits those who read file descriptor `stream`: broken on a terminal that is none of VS Code's.
Lines lines_for(int stream);

/// `text`, as wrapped_text() breaks it where it is to be broken.
std::string fitted(std::string_view text, std::size_t column, std::size_t indent, Lines lines);

/// The same of a command for the shell: broken as the shell reads it, so that it can be copied.
std::string fitted_command(std::string_view command, std::size_t column, std::size_t indent, Lines lines);

/// `finding`, as simulator::format() writes it, behind `indent` spaces; notes and help are always broken, the
/// first line and source lines as `lines` says. Each line ends with a newline.
std::string finding_on_screen(std::string_view finding, std::size_t indent, Lines lines);

}  // namespace warpwise::report
