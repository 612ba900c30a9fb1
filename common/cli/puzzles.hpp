#pragma once
/// \file Attempts as puzzles: a wrong kernel without its label. What is wrong, and where?

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "../report/report.hpp"
#include "clone.hpp"

namespace warpwise::cli {

struct Puzzle {
  text::Implementation attempt;
  std::string source;        ///< the attempt's whole file
  std::string kind;          ///< of the finding that rejects it: "race" ...; or "result", "technique"
  std::set<unsigned> lines;  ///< any of them will do: those that differ from the solution, those that use an
                             ///< array which they declare, and the finding's if it is in their function
};

/// The attempts of the chapter that can be found by reading, by name: a small difference to the solution, at
/// a place that can be named, in a file that fits a screen or two. Throws Failure if a page cannot be
/// read.
std::vector<Puzzle> puzzles_of(const ChapterFolder& chapter);

/// The one of `attempt`; with an empty `kind` if it is none.
Puzzle puzzle_of(const text::Implementation& attempt, const text::Source& solution);

/// The lines of the attempt's whole file in which it differs from the solution: those that were put in; where
/// something was only taken away, the lines of the same function above and below, as far as one says more
/// than a brace.
std::set<unsigned> changed_lines(const text::Implementation& attempt, const text::Source& solution);

/// Those of `lines` that are in a function with one of `changed`.
std::set<unsigned> in_their_functions(const std::set<unsigned>& lines, const std::set<unsigned>& changed,
                                      const std::string& source);

/// `source` with the numbers of its lines, without what would give the answer away: its head, and every
/// comment save those `///` that say what a function must do. Lines of which nothing is left are left out,
/// long ones broken for a terminal of 80 columns. `only`: of these lines alone; empty: of all.
std::string code_without_comments(std::string_view source, const std::set<unsigned>& only = {});

/// What a reader says: "9 race" or "race, 9".
struct Answer {
  unsigned line = 0;  ///< 0: none was named
  std::string kind;   ///< as in Puzzle; empty: none was named
};
Answer parse_answer(std::string_view words);

/// The lines of `file`, whatever its folder, that a failed check's findings are about.
std::set<unsigned> lines_found_in(const std::filesystem::path& file, const report::Failure& failure);

/// The kinds that an answer may name.
std::vector<std::string> answer_kinds();

}  // namespace warpwise::cli
