#pragma once
/// \file One picture of a run as one SVG file, light and dark, that stands for itself: for lessons, slides,
/// mail.

#include <string>
#include <string_view>
#include <vector>

#include "../report/trace.hpp"
#include "moment.hpp"

namespace warpwise::print {

/// What picture_of() can draw: "lanes", "banks", ...
std::vector<std::string> view_names();

/// `view`: one of them. `beside`: the second run, of the view "beside". `command`: what draws it, as one
/// would type it; it stands in the file. Throws NothingToDraw where the run has nothing of the kind.
std::string picture_of(std::string_view view, const report::TracedLaunch& traced, const Moment& moment,
                       const std::string& command, const report::TracedLaunch* beside = nullptr);

}  // namespace warpwise::print
