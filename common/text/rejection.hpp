#pragma once
/// \file Attempts: kernels that are wrong on purpose (kernel_page.hpp). The first line of one names the
/// check that must reject it:
///
///     // rejected by: reduce_naive: safety: race at `partial[tid] += partial[tid + stride]`
///     // why: a level reads sums that the level before may not have stored yet
///
/// "KIND at `TEXT`" must be a finding at the line that has this text. Any other reason is how the sentence of
/// the failure begins; of a wrong result it names the case and what differs: "n = 33, block = 32: out[1] is
/// 5". A line is found by all of its text, else by all but its comment, else by a piece; where it stands more
/// than once, "(2nd of 3)" after the text says which.

#include <optional>
#include <string>
#include <string_view>

#include "../report/report.hpp"

namespace warpwise::text {

using report::all_aspects;
using report::Aspect;

struct FindingAt {
  std::string kind;
  unsigned line = 0;
};

struct ExpectedRejection {
  std::string kernel;
  Aspect aspect = Aspect::result;
  std::string reason;  ///< as written, e.g. "race at `a[i] = 0;`", "n = 128, block = 32: shuffles"
  std::optional<FindingAt> finding;  ///< where the reason is one
};

/// What the first line of `source` expects. Throws std::invalid_argument, one sentence, if it does not say
/// which check rejects, or names a line that `source` has not, or has more than once.
ExpectedRejection parse_rejection(std::string_view source);
/// The same of the file at `path`; throws std::invalid_argument if it cannot be read.
ExpectedRejection read_rejection(const std::string& path);

/// Whether `failure` is the one that `expected` describes. A broken check never is.
bool is_rejection(const ExpectedRejection& expected, const report::Failure& failure);
/// "reduce_naive: result: n = 33: out[1] is 5, expected 9"
std::string spelled(const report::Failure& failure);

}  // namespace warpwise::text
