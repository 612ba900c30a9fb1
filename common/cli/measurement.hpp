#pragma once
/// \file Launches what a question is about on the simulated GPU, and names what was counted.

#include <map>
#include <utility>
#include <vector>

#include "../report/report.hpp"
#include "../text/predictions.hpp"
#include "clone.hpp"
#include "expression.hpp"

namespace warpwise::cli {

/// What a question's arithmetic may name: each counter by its name in the report;
/// divergent_branches_by_interval[k]; shared_wavefronts, bank_conflicts and global_sectors of loads, stores
/// and atomics together; lanes_busy, percent; blocks, threads (of a block), warps (of the grid) and elements;
/// finding_threads[k], the threads of the first finding.
Names names_of(const report::Launch& launch);

/// What the questions of one chapter are about. Each is launched once, each program beside the lesson run
/// once.
class Measurements {
 public:
  explicit Measurements(const Chapter& chapter) : chapter_(chapter) {}
  /// Builds what `run` names and launches it. Throws Failure where that does not come to a launch.
  const Names& of(const text::MeasuredRun& run);

 private:
  report::Launch launch_of_program(const text::MeasuredRun& run);

  const Chapter& chapter_;
  std::vector<std::pair<text::MeasuredRun, Names>> launches_;
  std::map<std::string, report::Report> programs_;  ///< by the program's file
};

}  // namespace warpwise::cli
