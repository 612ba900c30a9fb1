#pragma once
/// \file Findings in the width of a screen.

#include <string>
#include <string_view>
#include <vector>

#include "../simulator/observers/report.hpp"

namespace warpwise::harness {

/// The first line of a finding, without the folders of its file: "exercise.cu:14: race: thread 32 reads ...".
std::string headline(const simulator::Finding& finding);

/// "race at line 16, out-of-bounds at lines 12 and 20"
std::string kinds_and_lines(const std::vector<simulator::Finding>& findings);

/// `finding`, as simulator::format() writes it, with notes and help broken into lines of 80 columns. Its
/// first line stays whole: editors read it.
std::string with_wrapped_notes(std::string_view finding);

}  // namespace warpwise::harness
