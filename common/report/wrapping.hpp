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

/// The first line of a finding. An editor reads it whole from what is printed (.vscode/tasks.json).
enum class Headline { whole, broken };

/// What suits those who read file descriptor `stream`: broken on a terminal that is none of VS Code's.
Headline headline_for(int stream);

/// `finding`, as simulator::format() writes it, behind `indent` spaces; notes, help and perhaps the first
/// line are broken into lines of 80 columns, source lines are not. Each line ends with a newline.
std::string finding_on_screen(std::string_view finding, std::size_t indent, Headline headline);

}  // namespace warpwise::report
