#pragma once
/// \file What the simulator counts, held against what a GPU's own counters said of the same launches.

#include <string>
#include <string_view>

#include "../../report/report.hpp"

namespace warpwise::harness {

struct HardwareComparison {
  unsigned compared = 0;    ///< counters
  std::string differences;  ///< one line each: "reduce, shuffles: simulated 3, hardware 4"
};

/// `table` is docs/results/h200/counters.tsv, which says how it was measured: chapter, kernel, counter,
/// simulated, hardware, verdict, with tabs between them. Rows of another verdict than `=` are left out: why
/// they differ is said in docs/results/README.md.
HardwareComparison compare_with_hardware(const report::Report& report, std::string_view table);

/// Prints the comparison with the file at `table_path` and returns an exit status: 1 where anything differs
/// or nothing was compared. Throws UsageError where the file cannot be read.
int judge_counters(const report::Report& report, const std::string& table_path);

}  // namespace warpwise::harness
