#pragma once
/// \file Which lines must not be handed out, and where a text shows one.
///
/// A line of a solution is looked for as its code: without its comment, with one blank for many. It is
/// trivial, and may stand anywhere, where
///   - it has fewer than 12 characters,
///   - the student has it anyway: it stands in the skeleton or in a header that the skeleton includes,
///   - it is one of the idioms of solution_lines.cpp, which any CUDA kernel may have.
/// A line that is a comment alone counts as code; the anchors of a lesson do not.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::classroom {

/// The first line of a text that shows a line of a solution.
struct Leak {
  std::size_t line = 0;  ///< of the text, from 1
  std::string code;      ///< what it shows
  std::string source;    ///< the solution that it is from: "ch01_naive/solution.cu"
};

class SolutionLines {
 public:
  /// Text that students have: what stands in it, on any line, is trivial. Before add_solution().
  void add_given(std::string_view text);

  /// `source` names the solution in leaks.
  void add_solution(const std::string& source, std::string_view text);

  /// Lines that are held back, all solutions together.
  std::size_t size() const { return secrets_.size(); }

  /// Looks for them in C++, in Markdown, and in the text of SVG and HTML (where `<` is `&lt;`).
  std::optional<Leak> find_in(std::string_view text) const;
  bool are_shown_in(std::string_view text) const { return find_in(text).has_value(); }

 private:
  struct Secret {
    std::string code, source;
  };
  bool is_trivial(const std::string& code) const;

  std::string given_;  ///< its lines, spaced as those of the solutions are
  std::vector<Secret> secrets_;
};

/// The code of a line of a solution, as it is looked for; empty for a blank line and for an anchor.
std::string code_of(std::string_view line);

}  // namespace warpwise::classroom
