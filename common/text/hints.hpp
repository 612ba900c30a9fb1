#pragma once
/// \file hints.md of a chapter: `## kernel`, then hints as a numbered list, from a nudge to nearly the
/// answer.

#include <string>
#include <string_view>
#include <vector>

namespace warpwise::text {

struct KernelHints {
  std::string kernel;
  std::vector<std::string> hints;  ///< without their numbers; lines as they are, without the indentation
};

/// In the order of the text. What stands before the first `## ` is left out.
std::vector<KernelHints> parse_hints(std::string_view markdown);

/// `hint` in the width of a terminal: paragraphs are broken anew, code (lines that are indented) stays.
std::string in_screen_width(std::string_view hint);

}  // namespace warpwise::text
