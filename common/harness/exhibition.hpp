#pragma once
/// \file Runs the exhibits of a chapter: one launch a kernel, for counters and times.

#include <optional>
#include <string>
#include <vector>

#include "chapter.hpp"
#include "gpu_device.hpp"
#include "verdict.hpp"

namespace warpwise::harness {

struct ExhibitRun {
  const Exhibit* exhibit = nullptr;
  unsigned n = 0;                   ///< elements of the simulated launch
  std::optional<Launch> simulated;  ///< empty: not run, or ended in `problem`
  unsigned gpu_n = 0;
  std::optional<Launch> gpu;
  std::string problem;  ///< one sentence
};

/// Runs each exhibit (or `kernel` only) whose result the record does not call wrong: on the simulated GPU
/// with the exhibit's own n, on a GPU with 2^26 elements, or with `n` on both; never with more than its
/// largest_n.
std::vector<ExhibitRun> run_exhibits(const Chapter& chapter, const std::string& kernel,
                                     std::optional<unsigned> n, const Record& record, Device& simulated,
                                     GpuDevice* gpu);

/// GB/s of the run on the GPU; 0 where there is no time.
double gigabytes_per_second(const ExhibitRun& run);

}  // namespace warpwise::harness
