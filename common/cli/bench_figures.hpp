#pragma once
/// \file What `./warpwise bench` has measured of a kernel, kept for the page of `./warpwise show`.

#include <filesystem>
#include <optional>
#include <string>

#include "../report/bench.hpp"

namespace warpwise::cli {

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

/// The same from a kept file; nothing where there is none, it cannot be read, or it is older than `source`:
/// then it is not about this code.
std::optional<report::BenchReport> kept_figures_of(const std::filesystem::path& file,
                                                   const std::filesystem::path& source,
                                                   const std::string& chapter, const std::string& kernel);

}  // namespace warpwise::cli
