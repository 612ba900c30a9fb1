#include "bench_figures.hpp"

#include "../report/json.hpp"
#include "build.hpp"
#include "clone.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;
using report::BenchKernel;
using report::BenchReport;
using report::BenchVerdict;

/// An empty one where the file is not there or is none of bench.
BenchReport readable(const fs::path& file) {
  try {
    return fs::exists(file) ? report::read_bench(file) : BenchReport{};
  } catch (const report::ReportError&) {
    return {};
  }
}

}  // namespace

fs::path bench_file(const std::string& word) {
  return word == "h200" ? root_folder() / "docs/results/h200/bench.json" : fs::path(word);
}

fs::path kept_figures_file(const fs::path& built, const std::string& kind) {
  return built / "bench" / (kind + ".json");
}

void keep_figures(const fs::path& file, const report::BenchMachine& machine, const BenchKernel& kernel) {
  BenchReport kept = readable(file);
  if (kept.machine.gpu != machine.gpu || kept.machine.toolkit != machine.toolkit) kept.kernels.clear();
  std::erase_if(kept.kernels, [&](const BenchKernel& other) { return other.kernel == kernel.kernel; });
  kept.machine = machine;
  kept.kernels.push_back(kernel);
  report::write_bench(file, kept);
}

std::optional<BenchReport> figures_of(const BenchReport& bench, const std::string& chapter,
                                      const std::string& kernel) {
  for (const BenchKernel& one : bench.kernels)
    if (one.chapter == chapter && one.kernel == kernel && one.verdict == BenchVerdict::right &&
        !one.rows.empty())
      return BenchReport{.command = bench.command, .machine = bench.machine, .kernels = {one}};
  return std::nullopt;
}

std::optional<BenchReport> kept_figures_of(const fs::path& file, const fs::path& source,
                                           const std::string& chapter, const std::string& kernel) {
  std::error_code error;
  const auto measured = fs::last_write_time(file, error);
  if (error || measured < fs::last_write_time(source, error)) return std::nullopt;
  return figures_of(readable(file), chapter, kernel);
}

}  // namespace warpwise::cli
