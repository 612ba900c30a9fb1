#pragma once
/// \file A launch that terms decide nothing about, because something on the way depended on a value, is made
/// again with values that such conditions part: NaN, infinities, denormals, zeros, numbers that are equal, in
/// order or large; at the places of single lanes. What the results must be follows from the contract.

#include <optional>
#include <string>
#include <vector>

#include "proof.hpp"

namespace warpwise::harness {

/// A result that is wrong for one of them: a sentence, "with in[31] = nan: out[0] is 3, expected nan".
/// Nothing where all are right, or where the contract is not one array joined by one operator.
std::optional<std::string> wrong_for_other_values(DeviceMemory& memory, const simulator::TermRecorder& terms,
                                                  const std::string& results_name,
                                                  const JoinContract& contract,
                                                  const std::vector<JoinedResult>& results);

}  // namespace warpwise::harness
