#pragma once
/// \file hints.md of a chapter: `## kernel`, then hints as a numbered list, from a nudge to nearly the
/// answer.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::cli {

struct KernelHints {
  std::string kernel;
  std::vector<std::string> hints;  ///< without their numbers; lines as they are, without the indentation
};

/// `hint` in the width of a terminal: paragraphs are broken anew, code (lines that are indented) stays.
std::string in_screen_width(std::string_view hint);

/// In the order of the text. What stands before the first `## ` is left out.
std::vector<KernelHints> parse_hints(std::string_view markdown);

/// How many hints of each kernel have been shown: "reduce_naive 2", one a line.
std::map<std::string, std::size_t> parse_progress(std::string_view text);
std::string spelled(const std::map<std::string, std::size_t>& progress);

}  // namespace warpwise::cli
