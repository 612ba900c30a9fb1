#pragma once
/// \file Starts the program that holds a chapter's kernels against CUB (common/measuring/contest.cu), once a
/// kernel: one that crashes takes its process with it, and the next goes on.

#include <filesystem>
#include <functional>
#include <string>

#include "../report/bench.hpp"

namespace warpwise::cli {

/// "10:20" -> 10 and 20; "12" -> 12 and 12. Throws Failure (wrong usage) for anything else, and for what is
/// not within 5 to 30.
struct LogRange {
  unsigned first = 10, last = 30;
};
LogRange log_range_from(const std::string& text);

/// Is told after each line of the program how many sizes have been timed.
using BenchListener = std::function<void(const report::BenchKernel&)>;

/// Checks and times one kernel; fills in verdict, problem and rows. Throws Failure where the program cannot
/// be started.
void measure(const std::filesystem::path& program, const LogRange& sizes, report::BenchKernel& kernel,
             const BenchListener& listener = {});

/// What `program` says of itself and of the GPU. Throw Failure with what it printed where it fails.
std::vector<report::BenchKernel> kernels_of(const std::filesystem::path& program, const std::string& chapter);
report::BenchMachine machine_of(const std::filesystem::path& program);

}  // namespace warpwise::cli
