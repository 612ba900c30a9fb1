#pragma once
/// \file Runs the test cases of this executable with Catch2 and fills the record.

#include <string>
#include <vector>

namespace warpwise::harness {

/// Runs the test cases that `names` matches, as in "reduce_naive: safety*" (empty: all), in the order of the
/// source. Only `catch_arguments` let Catch2's own report through. Returns Catch2's exit status, which says
/// less than record(): use it for `catch_arguments` alone.
int run_checks(const std::string& names, const std::vector<std::string>& catch_arguments);

}  // namespace warpwise::harness
