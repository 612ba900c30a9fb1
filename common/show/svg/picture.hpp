#pragma once
/// \file One picture of a run as one SVG file, light and dark, that stands for itself: for lessons, slides,
/// mail.

#include <string>
#include <string_view>

#include "../../report/trace.hpp"
#include "../moment.hpp"

namespace warpwise::show {

enum class View : std::uint8_t { lanes, banks, tree, shuffle, sectors };
inline constexpr std::string_view view_names[] = {"lanes", "banks", "tree", "shuffle", "sectors"};

/// `command`: what draws it, as one would type it; it stands in the file. Throws NothingToDraw where the run
/// has nothing of the kind.
std::string picture_of(View view, const report::TracedLaunch& traced, const Moment& moment,
                       const std::string& command);

}  // namespace warpwise::show
