#pragma once
/// \file What `./warpwise bench` measures, and what it keeps of it for the page of `./warpwise show`.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "../report/bench_report.hpp"

namespace warpwise::cli {

// --- Measuring ---------------------------------------------------------------------------------------------

// The program that holds a chapter's kernels against CUB (common/measuring/comparison.cu) is started once a
// kernel: one that crashes takes its process with it, and the next goes on.

/// "10:20" -> 10 and 20; "12" -> 12 and 12. Throws Failure (wrong usage) for anything else, and for what is
/// not within 5 to 30.
struct LogRange {
  unsigned first = 10, last = 30;
};
LogRange log_range_from(const std::string& text);

/// Is told after each line of the program how many sizes have been timed.
using BenchListener = std::function<void(const report::BenchKernel&)>;

/// Checks and times one kernel; fills in verdict, problem and rows. Throws Failure if the program cannot
/// be started.
void measure(const std::filesystem::path& program, const LogRange& sizes, report::BenchKernel& kernel,
             const BenchListener& listener = {});

/// What `program` says of itself and of the GPU. Throw Failure with what it printed if it fails.
std::vector<report::BenchKernel> kernels_of(const std::filesystem::path& program, const std::string& chapter);
report::BenchMachine machine_of(const std::filesystem::path& program);

// --- Keeping -----------------------------------------------------------------------------------------------

/// "h200" stands for the figures that come with the course; everything else is a file of `bench --json`.
std::filesystem::path bench_file(const std::string& word);

/// Where `bench` keeps what it measured last of a chapter's kernels; `kind` is "exercise" or "solution", and
/// `built` the chapter's folder below the build folder.
std::filesystem::path kept_figures_file(const std::filesystem::path& built, const std::string& kind);

/// Puts `kernel` into the file, in place of what it had of the kernel before. Figures of another GPU or
/// toolkit go: one page has one machine.
void keep_figures(const std::filesystem::path& file, const report::BenchMachine& machine,
                  const report::BenchKernel& kernel);

/// That kernel alone, if it was timed; else nothing.
std::optional<report::BenchReport> figures_of(const report::BenchReport& bench, const std::string& chapter,
                                              const std::string& kernel);

/// The same from a kept file; nothing if there is none, it cannot be read, or it is older than `source`:
/// then it is not about this code.
std::optional<report::BenchReport> kept_figures_of(const std::filesystem::path& file,
                                                   const std::filesystem::path& source,
                                                   const std::string& chapter, const std::string& kernel);

}  // namespace warpwise::cli
