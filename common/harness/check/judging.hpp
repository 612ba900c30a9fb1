#pragma once
/// \file What is judged beside the checks: code that is borrowed; and the runs by which the checks themselves
/// are checked, and the simulator's counters.

#include <string>
#include <string_view>

#include "../../text/rejection.hpp"
#include "chapter.hpp"

namespace warpwise::harness {

/// Exit statuses of a chapter's executable. unusable: nothing is judged, though the command line is right.
/// The module lacks a kernel, the machine has no GPU, or a check itself broke off.
enum Status { all_well = 0, check_failed = 1, wrong_usage = 2, unusable = 3 };

/// Adds a failed check of the technique for each exercise of `chapter` that `record` has judged, and that has
/// borrowed code (code.hpp).
void judge_borrowed(const CheckedChapter& chapter, const simulator::Program& program, Record& record);

/// A skeleton: every exercise (or `kernel` only) that still is one in the file `source` fails its result
/// check. Prints how, and returns the status.
int judge_skeleton(const CheckedChapter& chapter, const Record& record, const std::string& source,
                   const std::string& kernel);

/// What the record says about an attempt.
struct Rejection {
  bool is_as_expected = false;
  std::string sentence;  ///< how it was rejected, or why this does not count
};
Rejection judge_attempt(const text::ExpectedRejection& expected, const Record& record);
/// An attempt is rejected by the check, and for the reason, that its first line names (rejection.hpp). Prints
/// how, and returns the status.
int judge_rejection(const text::ExpectedRejection& expected, const Record& record);

/// What the simulator counts, held against what a GPU's own counters said of the same launches.
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
