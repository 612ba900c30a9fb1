#pragma once
/// \file The runs by which the checks themselves are checked: what must be rejected is rejected.

#include <string>

#include "attempt.hpp"
#include "chapter.hpp"
#include "verdict.hpp"

namespace warpwise::harness {

/// Exit statuses of a chapter's executable. unusable: nothing is judged, though the command line is right.
/// The module lacks a kernel, the machine has no GPU, or a check itself broke off.
enum Status { all_well = 0, check_failed = 1, wrong_usage = 2, unusable = 3 };

/// A skeleton: every exercise (or `kernel` only) that still is one in the file `source` fails its result
/// check. Prints how, and returns the status.
int judge_skeleton(const Chapter& chapter, const Record& record, const std::string& source,
                   const std::string& kernel);
/// An attempt is rejected by the check that it names. Likewise.
int judge_rejection(const ExpectedRejection& expected, const Record& record);

}  // namespace warpwise::harness
