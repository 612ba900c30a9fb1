#pragma once
/// \file A finding in one line.

#include <string>

#include "../simulator/observers/report.hpp"

namespace warpwise::harness {

/// The first line of a finding, without the folders of its file: "exercise.cu:14: race: thread 32 reads ...".
std::string headline(const simulator::Finding& finding);

}  // namespace warpwise::harness
