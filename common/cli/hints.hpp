#pragma once
/// \file Hints on the screen, and which of them have been shown.

#include <map>
#include <string>
#include <string_view>

namespace warpwise::cli {

/// `hint` in the width of a terminal: paragraphs are broken anew, code (lines that are indented) stays.
std::string in_screen_width(std::string_view hint);

/// How many hints of each kernel have been shown: "reduce_naive 2", one a line.
std::map<std::string, std::size_t> parse_progress(std::string_view text);
std::string spelled(const std::map<std::string, std::size_t>& progress);

}  // namespace warpwise::cli
