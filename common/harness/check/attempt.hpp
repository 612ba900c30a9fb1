#pragma once
/// \file Whether an attempt was rejected by the check, and for the reason, that its first line names
/// (rejection.hpp).

#include <string>

#include "../rejection.hpp"
#include "verdict.hpp"

namespace warpwise::harness {

/// What the record says about the attempt.
struct Rejection {
  bool is_as_expected = false;
  std::string sentence;  ///< how it was rejected, or why this does not count
};
Rejection judge_attempt(const ExpectedRejection& expected, const Record& record);

}  // namespace warpwise::harness
