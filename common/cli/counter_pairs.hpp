#pragma once
/// \file What the simulator counted and what the hardware counted, side by side: kernel by kernel and line by
/// line.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../print/bench.hpp"
#include "../report/report.hpp"
#include "gpu.hpp"

namespace warpwise::cli {

using print::CounterPair;
using print::LinePair;

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
