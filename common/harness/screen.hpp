#pragma once
/// \file What a student sees: for each kernel what was asked, what was found, and where to go on.
///
/// The first kernel that is not right is shown in full, the later ones in two lines, so that the next thing
/// to do stands out; the TODOs that still stand in its source are listed. While the result is wrong,
/// technique and safety are not called right; only findings are shown, because they explain the result.

#include <iosfwd>
#include <set>
#include <string>
#include <vector>

#include "chapter.hpp"
#include "exhibition.hpp"
#include "paint.hpp"
#include "verdict.hpp"

namespace warpwise::harness {

struct ScreenContent {
  const Chapter& chapter;
  const Record& record;
  const std::vector<ExhibitRun>& runs;
  std::string source;               ///< the .cu file of the module; may be empty
  std::set<std::string> untouched;  ///< kernels that write nothing yet
  std::string gpu;                  ///< name of the GPU on which results were checked too; may be empty
  bool is_verbose = false;
};

void print_screen(std::ostream& out, const ScreenContent& content, const Paint& paint);

/// The counters of the runs as a table of at most 80 columns, and what the exhibits show below it.
void print_counters(std::ostream& out, const std::vector<ExhibitRun>& runs, const std::string& gpu);

}  // namespace warpwise::harness
