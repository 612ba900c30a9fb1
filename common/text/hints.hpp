#pragma once
/// \file The page of a chapter's hints, chNN_name/hints.md: a section for each kernel, or for several that
/// have theirs in common; in it the hints, from a nudge to nearly the answer, each folded away.
///
///     ## `shift_up`, `shift_down`
///
///     <details><summary>Hint 1</summary>
///
///     Each lane reads one element of another lane: of which?
///
///     </details>

#include <string>
#include <string_view>
#include <vector>

namespace warpwise::text {

struct KernelHints {
  std::string kernel;
  std::vector<std::string> hints;  ///< lines as they are
};

/// The line that a hint begins with, and the one that ends it.
inline constexpr std::string_view hint_begin = "<details><summary>Hint ", hint_end = "</details>";

/// In the order of the page. `path`: of the page, for messages. Throws PageError.
std::vector<KernelHints> parse_hints(std::string_view text, const std::string& path);

/// `hint` in the width of a terminal: paragraphs are broken anew, code (lines that are indented) stays.
std::string in_screen_width(std::string_view hint);

}  // namespace warpwise::text
