#pragma once
/// \file What a student sees: for each kernel what was asked, what was found, and where to go on.
///
/// The first kernel that is not right is shown in full, the later ones in two lines, so that the next thing
/// to do stands out; the TODOs that still stand in its source are listed. While the result is wrong,
/// technique and safety are not called right; only findings are shown, because they explain the result.
/// Where that kernel would scroll off the terminal, it comes last.
/// Right kernels are counted as in `list`: of those that are to be written, each of a family.

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "../report/report.hpp"
#include "terminal.hpp"
#include "unpredicted.hpp"

namespace warpwise::print {

/// What the chapter's files say of a kernel.
struct KernelText {
  struct Todo {
    unsigned line = 0;
    std::string text;  ///< "tree (about 4 lines)"
  };
  std::string kernel;
  unsigned contract_line = 0;  ///< of its declaration in kernels.hpp; 0: there is none
  std::string technique;       ///< that is asked for; empty where nothing is said of it
  std::vector<Todo> todos;     ///< that still stand in the source; ascending
};

/// The text of a line of a source file; empty where it cannot be read.
using SourceLine = std::function<std::string(const std::string& file, std::uint32_t line)>;

struct ScreenContent {
  const report::Report& report;        ///< of one chapter
  std::string source = {};             ///< the .cu file that was judged, as one would type it; empty: unknown
  std::string contract = {};           ///< the chapter's kernels.hpp likewise
  std::vector<KernelText> texts = {};  ///< of the kernels that are not right
  bool is_verbose = false;
  SourceLine line_costs = {};  ///< where it is given, what each source line costs stands below the counters
  bool shows_counters = true;
  bool explains_all = false;                  ///< not the first kernel alone that is not right
  Lines lines = Lines::whole;                 ///< of findings, paths and commands
  std::size_t rows = 0;                       ///< of the terminal; 0: no limit
  std::vector<Unpredicted> unpredicted = {};  ///< what the counters do not tell yet
};

void print_screen(std::ostream& out, const ScreenContent& content, const Paint& paint);

/// The counters of the launches as a table of at most 80 columns, the times, and what the chapter remarks.
/// What is still `unpredicted` is a question mark, and remarks on that kernel are left out.
void print_counters(std::ostream& out, const report::Report& report,
                    const std::vector<Unpredicted>& unpredicted = {});

/// What each source line of each counted launch costs, as a table of at most 80 columns.
void print_lines(std::ostream& out, const report::Report& report, const SourceLine& text_of);

}  // namespace warpwise::print
