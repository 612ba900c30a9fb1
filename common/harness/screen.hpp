#pragma once
/// \file What a student sees: for each kernel what was asked, what was found, and where to go on.
///
/// The first kernel that is not right is shown in full, the later ones in two lines, so that the next thing
/// to do stands out; the TODOs that still stand in its source are listed. While the result is wrong,
/// technique and safety are not called right; only findings are shown, because they explain the result.
/// Right kernels are counted as in `list`: of those that are to be written, each of a family.

#include <iosfwd>
#include <string>

#include "../report/report.hpp"
#include "../report/wrapping.hpp"
#include "paint.hpp"

namespace warpwise::harness {

struct ScreenContent {
  const report::Report& report;  ///< of one chapter
  std::string contract;          ///< path of the chapter's kernels.hpp
  bool is_verbose = false;
  bool shows_lines = false;  ///< what each source line costs, below the counters
  std::string folder = {};   ///< below which the source and the contract lie; empty: where their paths say
  bool shows_counters = true;
  bool explains_all = false;  ///< not the first kernel alone that is not right
  bool shows_sizes = true;    ///< in the command that draws a launch like the one that failed
  report::Lines lines = report::Lines::whole;  ///< of findings, paths and commands
};

void print_screen(std::ostream& out, const ScreenContent& content, const Paint& paint);

/// The counters of the launches as a table of at most 80 columns, the times, and what the chapter remarks.
void print_counters(std::ostream& out, const report::Report& report);

/// What each source line of each counted launch costs, as a table of at most 80 columns.
void print_lines(std::ostream& out, const report::Report& report);

}  // namespace warpwise::harness
