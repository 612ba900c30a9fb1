#pragma once
/// \file A report of what a chapter's checks and its exhibits have come to: one launch a kernel, for counters
/// and times.

#include <optional>
#include <string>

#include "../../report/trace.hpp"
#include "../device/gpu_device.hpp"
#include "chapter.hpp"

namespace warpwise::harness {

/// The chapter with its kernels as they are declared, and the record's verdicts; no launches yet.
report::Report report_of(const CheckedChapter& chapter, const Record& record);

enum class Judged { yes, no };

/// Runs each exhibit of `the_chapter` (or `kernel` only) whose result `report` does not call wrong; where
/// that is `judged`, a launch on the simulated GPU that gives a wrong result, or whose result the exhibit
/// does not compare, is none to show, and what is wrong with it goes to the report. It runs on the simulated
/// GPU with the exhibit's own n, on a GPU (null: none) with 2^26 elements, or with `n` on both; never with
/// more than its largest_n. Adds the launches to the report, and to its one chapter what went wrong.
void run_exhibits(report::Report& report, const CheckedChapter& the_chapter, const std::string& kernel,
                  std::optional<unsigned> n, SimulatedDevice& simulated, GpuDevice* gpu,
                  Judged judged = Judged::yes);

/// What each lane did in the launches of each exhibit (or of `kernel` only), right or wrong, with `n`
/// elements or as many as `usual_n` says. What a kernel prints is left out. An exhibit that ends early is
/// there up to where it came.
report::TraceFile trace_exhibits(const CheckedChapter& the_chapter, const std::string& kernel,
                                 unsigned (*usual_n)(const Exhibit&), std::optional<unsigned> n,
                                 SimulatedDevice& simulated);

}  // namespace warpwise::harness
