#pragma once
/// \file Findings in a line.

#include <string>
#include <vector>

#include "../simulator/report.hpp"

namespace warpwise::harness {

/// The first line of a finding, without the folders of its file: "exercise.cu:14: race: thread 32 reads ...".
std::string headline(const simulator::Finding& finding);

/// "race at line 16, out-of-bounds at lines 12 and 20"
std::string kinds_and_lines(const std::vector<simulator::Finding>& findings);

}  // namespace warpwise::harness
