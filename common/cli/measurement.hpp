#pragma once
/// \file Launches what a question is about on the simulated GPU, and names what was counted.

#include "../report/report.hpp"
#include "chapters.hpp"
#include "expression.hpp"
#include "prediction_page.hpp"

namespace warpwise::cli {

/// Builds what `run` names and launches it once. Throws Failure where that does not come to a launch.
report::Launch measure(const Chapter& chapter, const MeasuredRun& run);

/// What a question's arithmetic may name: each counter by its name in the report;
/// divergent_branches_by_interval[k]; shared_wavefronts, bank_conflicts and global_sectors of loads, stores
/// and atomics together; lanes_busy, percent; blocks, threads (of a block), warps (of the grid) and elements;
/// finding_threads[k], the threads of the first finding.
Names names_of(const report::Launch& launch);

}  // namespace warpwise::cli
