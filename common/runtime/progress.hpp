#pragma once
/// \file What the user learns of a launch that takes long, while it runs.

#include <string>

#include "../simulator/launch.hpp"

namespace warpwise::runtime {

/// "sum has run for 20 s: 300 of its 4096 blocks have ended, about 4 minutes are left (--budget N ...)",
/// without a full stop. The estimate takes the blocks to be alike.
std::string progress_sentence(const std::string& kernel, const simulator::LaunchProgress& progress);

}  // namespace warpwise::runtime
