#pragma once
/// \file run: judges a chapter's kernels, and what it says before and after the judgement.

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "../print/terminal.hpp"
#include "../print/unpredicted.hpp"
#include "../report/report.hpp"
#include "clone.hpp"
#include "commands.hpp"

namespace warpwise::cli {

struct RunOptions {
  std::string chapter;
  bool uses_solution = false;
  std::string attempt;  ///< its name, empty: the exercise
  std::string kernel;   ///< empty: all
  std::string device = "auto";
  unsigned long long n = 0;     ///< number of elements in the run that is shown; 0: the chapter's choice
  std::string report;           ///< JSON file to write; empty: none
  std::string trace;            ///< likewise
  bool is_verbose = false;      ///< every failure in full
  bool shows_lines = false;     ///< what each source line costs
  bool shows_counters = false;  ///< those, too, that the lesson asks to predict first
  TypedLine line = {};
};
void add_arguments(Arguments& arguments, RunOptions& options);
/// Builds a module of the chapter and checks it. What it says of the exercise is remembered
/// (student_progress.hpp), and if all is well the next step is named.
int run(const RunOptions& options);

/// What the attempt has in place of the solution's lines; `whole_file` is where all of it lies.
void print_attempt(std::ostream& out, const text::Implementation& attempt, const std::string& whole_file,
                   const print::Paint& paint, print::Lines lines = print::Lines::whole);

/// One side of the comparison where a chapter is done.
struct Written {
  std::map<std::string, std::size_t> lines;  ///< of code, without comments and blank ones, by kernel: its own
                                             ///< and those of the functions that it names
  report::Report report;                     ///< one launch of each kernel
};
/// The lines of the kernels of a .cu file.
std::map<std::string, std::size_t> lines_of_kernels(const text::Source& source);

/// A table with a row for each kernel of the chapter that is to be written, and the commands that show more;
/// lines of at most 80 columns. `solution`: null if a handout has none yet. What is still `open` is a
/// question mark.
std::string chapter_finished_text(const std::string& chapter, const Written& own, const Written* solution,
                                  const std::vector<print::Unpredicted>& open = {});
/// The same of all chapters.
std::string course_finished_text(std::size_t kernels);

/// Launches the kernels of the chapter's exercise and, where there is one, of its solution, which it builds;
/// and says what came of it.
std::string chapter_finished_text(const ChapterFolder& chapter, const std::vector<print::Unpredicted>& open);

}  // namespace warpwise::cli
