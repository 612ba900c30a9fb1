#pragma once
/// \file Attempts: kernels that are wrong on purpose. The first line of one names the check that must reject
/// it:
///
///     // rejected by: reduce_naive: safety: race at 14
///     // why: a level reads sums that the level before may not have stored yet
///
/// "KIND at LINE" must be a finding; any other text must occur in the sentence of the failure.

#include <string>
#include <string_view>

#include "verdict.hpp"

namespace warpwise::harness {

struct ExpectedRejection {
  std::string kernel;
  Aspect aspect = Aspect::result;
  std::string reason;  ///< as written, e.g. "race at 14", "n = 33"; may be empty: any
};

/// Throws std::invalid_argument, one sentence, for a line that does not say which check rejects.
ExpectedRejection parse_rejection(std::string_view first_line);
/// The first line of the file at `path`; throws std::invalid_argument where it cannot be read.
ExpectedRejection read_rejection(const std::string& path);

/// Whether `failure` is the one that `expected` describes. A broken check never is.
bool is_rejection(const ExpectedRejection& expected, const Failure& failure);

/// What the record says about the attempt.
struct Rejection {
  bool is_as_expected = false;
  std::string sentence;  ///< how it was rejected, or why this does not count
};
Rejection judge_attempt(const ExpectedRejection& expected, const Record& record);

}  // namespace warpwise::harness
