#pragma once
/// \file What the simulator counted beside what the hardware counted, kernel by kernel and line by line.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../report/report.hpp"
#include "gpu.hpp"

namespace warpwise::cli {

/// One counter of one kernel. `hardware` is what it was counted to be.
struct CounterPair {
  std::string chapter, kernel, counter;
  std::uint64_t simulated = 0, hardware = 0;
  std::string verdict;  ///< "=", "differs", or why the two need not agree

  bool is_equal() const { return simulated == hardware; }
};

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

/// The two tables of one kernel: counters, and the lines that touch memory.
std::string profile_text(const report::Launch& simulated, const std::vector<CounterPair>& pairs,
                         const std::vector<HardwareLine>& lines);

/// As docs/results/h200/counters.tsv: `head` (lines that start with #), a line of titles, a line a pair.
std::string table_of(const std::vector<CounterPair>& pairs, const std::string& head);
std::vector<CounterPair> pairs_from(std::string_view table);

/// What the hardware counted then and now, where that has changed; all counters that both have are looked at.
std::string profile_comparison(const std::vector<CounterPair>& now, const std::vector<CounterPair>& then,
                               const std::string& then_name);

}  // namespace warpwise::cli
