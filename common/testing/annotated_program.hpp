#pragma once
/// \file Programs that say of themselves, in comments, what is to be found in them.
///
///     // finding: race at `s[t] = 1;` or `s[0]`       must be found, on a line that has one of these
///     // finding: deadlock|timeout at 2nd `while (`   ... of one of these kinds, on the second such line
///     // finding: timeout from `for (` to `t += 1;`   ... on one of these lines and those between
///     // finding: launch                              ... no matter where
///     // finding: none                                a right program: nothing may be found
///     // also: uninitialised at `s[0]`                may be found as well: a consequence, or the schedule's
///     // why: one sentence
///     namespace NAME { ... }  // namespace NAME       the program
///
///     // output:                                      what it prints, directly below the program
///     //   6
///
/// Of a text that stands in several lines of the program the header says which; else it must stand in one.
/// A file without such headers above a namespace is one program, whose header is the file's first lines.
/// `// arch: compute_80` belongs to the whole file: compute_75 lacks instructions that it needs.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::testing {

/// A set of findings that counts as one: any of the kinds, on any of the lines (no lines: anywhere).
struct ExpectedFinding {
  bool is_required = true;  ///< else it may be found
  std::vector<std::string> kinds;
  std::vector<std::uint32_t> lines;  ///< of the file, from 1
  std::string text;                  ///< as written
  bool covers(std::string_view kind, std::uint32_t line) const;
};

struct AnnotatedProgram {
  std::string name;  ///< the namespace's; "" where the file is the program
  std::string why;
  std::vector<ExpectedFinding> findings;
  std::string source;                 ///< its lines; of a file that is one program, those below the header
  std::optional<std::string> output;  ///< of the whole program, where it is said
  bool is_wrong() const;              ///< has a finding that is required
};

struct AnnotatedFile {
  std::string arch;  ///< "" where the oldest does
  std::vector<AnnotatedProgram> programs;
};

/// Throws std::runtime_error with path and line for a header that is not as above: an unknown word, a kind
/// that does not exist, a text that stands in no line or in several, a program without the end of its
/// namespace.
AnnotatedFile read_annotated_file(const std::string& path);
AnnotatedFile read_annotated_text(const std::string& text, const std::string& path);

}  // namespace warpwise::testing
