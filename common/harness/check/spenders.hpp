#pragma once
/// \file Which source lines spend what a check has found too much of.

#include <vector>

#include "../../report/report.hpp"
#include "../device/count.hpp"

namespace warpwise::harness {

/// The (at most three) lines of its launch that spend most of `count`, the most first: with their shares in
/// its unit, or in percent of all that the launch has counted where `count` is not all of that.
std::vector<report::LineShare> spenders(const Count& count);

/// The (at most three) lines of a launch that write to global memory, report::writes_results: where to begin
/// to look for a wrong one.
std::vector<report::LineShare> writers(const simulator::LaunchReport& launch);

}  // namespace warpwise::harness
