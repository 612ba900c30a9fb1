#pragma once
/// \file Nsight Compute: which of its metrics the simulator's counters are compared with, what its command
/// line, ncu, prints, and what was counted here and there side by side, kernel by kernel and line by line.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "../print/bench.hpp"
#include "../report/report.hpp"

namespace warpwise::cli {

using print::CounterPair;
using print::LinePair;

// --- Nsight Compute ----------------------------------------------------------------------------------------

/// A counter of the simulator and the hardware counters of which it is the sum. Names: Nsight Compute,
/// "Metrics Reference".
struct CounterMetrics {
  std::string counter;
  std::vector<std::string> metrics;
};
const std::vector<CounterMetrics>& compared_counters();
/// All metrics, with commas between them, as `ncu --metrics` takes them.
std::string metrics_argument();

/// One profiled launch: the counters of compared_counters(), by name.
struct HardwareLaunch {
  std::string kernel;
  std::string grid;  ///< "(128, 1, 1)"
  std::map<std::string, std::uint64_t> counters;
};
/// Of `ncu --page raw --csv --print-units base`: the first launch of each kernel. Lines before the table,
/// which the profiled program may have printed, are passed over. Throws Failure if a metric is missing.
std::vector<HardwareLaunch> launches_from(std::string_view raw_page);

/// What the hardware counted at one line of the source; loads, stores and atomics together.
struct HardwareLine {
  std::string kernel, file;
  unsigned line = 0;
  std::uint64_t shared_wavefronts = 0;
  std::uint64_t global_requests = 0;
  std::uint64_t global_sectors = 0;
};
/// Of `ncu --page source --csv --print-source cuda,sass`. Empty if the machine code names no lines.
std::vector<HardwareLine> lines_from(std::string_view source_page);

/// Fields of one line of CSV: in quotes, with "" for a quote.
std::vector<std::string> csv_fields(std::string_view line);

/// Why ncu measured nothing, with what to do about it; `output` is all that it printed.
std::string ncu_problem(std::string_view output);

/// Its path: from PATH, or where toolkit and package install it; empty: it is not here.
std::string find_ncu();

// --- Side by side -----------------------------------------------------------------------------------------

/// Why counters are known to differ: docs/results/counter_differences.tsv, whose columns are kernel (`*`:
/// every one), counter and reason.
class KnownDifferences {
 public:
  explicit KnownDifferences(std::string_view table);
  /// Empty: nobody knows.
  std::string reason(const std::string& kernel, const std::string& counter) const;

 private:
  struct Row {
    std::string kernel, counter, reason;
  };
  std::vector<Row> rows_;
};

/// Every counter that is not 0 on both sides, in the order of compared_counters(). A reason stands only where
/// the two differ.
std::vector<CounterPair> pairs_of(const report::Launch& simulated, const HardwareLaunch& hardware,
                                  const KnownDifferences& known);

/// Every line of the kernel at which one of them counted something, by file and line; none if the hardware
/// names no line of it.
std::vector<LinePair> line_pairs(const report::Launch& simulated, const std::vector<HardwareLine>& lines);

/// As docs/results/h200/counters.tsv: `head` (lines that start with #), a line of titles, a line a pair.
std::string table_of(const std::vector<CounterPair>& pairs, const std::string& head);
std::vector<CounterPair> pairs_from(std::string_view table);

}  // namespace warpwise::cli
