#pragma once
/// \file What is said where a chapter is done, and where the course is: what was written, what it costs
/// beside the solution, and what comes next.

#include <map>
#include <string>
#include <vector>

#include "../report/report.hpp"
#include "chapters.hpp"

namespace warpwise::cli {

/// One side of the comparison.
struct Written {
  std::map<std::string, std::size_t> lines;  ///< of code, without comments and blank ones, by kernel: its own
                                             ///< and those of the functions that it names
  report::Report report;                     ///< one launch of each kernel
};

/// The lines of the kernels of a .cu file.
std::map<std::string, std::size_t> lines_of_kernels(const std::string& source);

/// A table with a row for each kernel of the chapter that is to be written, and the commands that show more;
/// lines of at most 80 columns. `solution`: null where a handout has none yet.
std::string chapter_finished_text(const std::string& chapter, const Written& own, const Written* solution);

/// The same of all chapters.
std::string course_finished_text(std::size_t kernels);

/// Launches the kernels of the chapter's exercise and, where there is one, of its solution, which it builds;
/// and says what came of it.
std::string finish(const Chapter& chapter);

}  // namespace warpwise::cli
