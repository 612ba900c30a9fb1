#pragma once
/// \file A text as it is searched for code: without layout, and without what a page, a picture or a comment
/// puts between the characters of the code.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::course {

/// What of a text is read. Each leaves out all blanks and ends of lines, and writes the escapes of HTML, SVG,
/// JSON and Markdown's tables as what they mean.
enum class Reading {
  as_written,  ///< every other character
  as_code,   ///< without comments; without marks at the start of a line, as a difference and a quotation have
             ///< them
  as_shown,  ///< without tags, and without the signs of comments, so that their text is read; without marks
};
inline constexpr std::array readings = {Reading::as_written, Reading::as_code, Reading::as_shown};

/// The characters that a reading leaves, and where they come from.
struct ReadText {
  std::string characters;
  std::vector<std::size_t> line_starts;  ///< for each line of the text how many characters stand before it

  /// The line of the text, from 1, that `characters[at]` comes from.
  std::size_t line_of(std::size_t at) const;
};

ReadText read_as(Reading reading, std::string_view text);

}  // namespace warpwise::course
