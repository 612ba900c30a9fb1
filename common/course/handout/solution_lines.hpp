#pragma once
/// \file Which lines must not be handed out, and where a text shows one.
///
/// A line of a solution is looked for as its code: without its comment, however it is spaced, and wherever
/// its ends of lines stand. It is trivial, and may stand anywhere, where
///   - it has fewer than 12 characters,
///   - the student has it anyway: it stands in the skeleton or in a header that the skeleton includes, or in
///   a
///     solution that is handed out,
///   - it is one of the idioms of solution_lines.cpp, which any CUDA kernel may have.
/// A line that is a comment alone counts as code; the anchors of a lesson do not.
///
/// A text is searched without layout, and without what a page, a picture or a comment puts between the
/// characters of the code.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpwise::course {

// --- A text as it is searched ------------------------------------------------------------------------------

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

// --- Solutions ---------------------------------------------------------------------------------------------

/// The first line of a text that shows a line of a solution.
struct Leak {
  std::size_t line = 0;  ///< of the text, from 1
  std::string code;      ///< what it shows
  std::string source;    ///< the solution that it is from: "ch01_naive/solution.cu"
};

/// "12 shows a line of ch01_naive/solution.cu (...)": what goes behind the name of a file.
std::string spelled(const Leak& leak);

class SolutionLines {
 public:
  /// Text that students have: what stands in it, on any line, is trivial. Before add_solution().
  void add_given(std::string_view text);

  /// `source` names the solution in leaks.
  void add_solution(const std::string& source, std::string_view text);

  /// Whether one of the solutions has the kernel.
  bool has_kernel(const std::string& name) const { return kernels_.contains(name); }

  /// Lines that are held back, all solutions together.
  std::size_t size() const { return secrets_.size(); }

  /// Looks for them in every reading (readings.hpp) of a text of any kind: C++, Markdown, SVG, HTML, JSON.
  std::optional<Leak> find_in(std::string_view text) const;
  bool are_shown_in(std::string_view text) const { return find_in(text).has_value(); }

 private:
  struct Secret {
    std::string characters;  ///< of its code, without layout
    std::string code, source;
  };
  bool is_trivial(const std::string& code, const std::string& characters) const;
  std::optional<Leak> find_in(const ReadText& text) const;

  std::string given_;  ///< without layout; a line's end for each text
  std::set<std::string> kernels_;
  std::vector<Secret> secrets_;
  std::vector<bool> begins_ = std::vector<bool>(std::size_t{1} << 16);  ///< by two characters: does a secret
  std::unordered_multimap<std::uint64_t, std::size_t>
      by_beginning_;  ///< secrets, by their first 8 characters
};

/// The code of a line of a solution, as it is looked for; empty for a blank line and for an anchor.
std::string code_of(std::string_view line);

}  // namespace warpwise::course
