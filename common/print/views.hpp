#pragma once
/// \file The pictures, one function each. Each draws from `y` downwards, and returns what it shows in a
/// sentence or two for those who cannot see it.

#include <string>

#include "../report/trace.hpp"
#include "moment.hpp"
#include "drawing.hpp"

namespace warpwise::print {

/// Who works when: threads across, steps down, barriers as rules.
std::string draw_lanes(Drawing& drawing, double y, const report::TracedLaunch& traced, const Moment& moment);
/// Memory: the lanes of a step above, words in rows of 32 below, so that in shared memory a column is a bank.
std::string draw_banks(Drawing& drawing, double y, const report::TracedLaunch& traced, const Moment& moment);
std::string draw_sectors(Drawing& drawing, double y, const report::TracedLaunch& traced,
                         const Moment& moment);
/// Whose value each lane takes.
std::string draw_shuffle(Drawing& drawing, double y, const report::TracedLaunch& traced,
                         const Moment& moment);
/// Which value was made of which, wherever it went in between.
std::string draw_tree(Drawing& drawing, double y, const report::TracedLaunch& traced, const Moment& moment);

/// The first finding, or that of the moment's line.
std::string draw_finding(Drawing& drawing, double y, const report::TracedLaunch& traced,
                         const Moment& moment);
/// Each line of the source, and what it cost.
std::string draw_costs(Drawing& drawing, double y, const report::TracedLaunch& traced, const Moment& moment);
/// Who works when, of two runs on the same axes.
std::string draw_beside(Drawing& drawing, double y, const report::TracedLaunch& traced,
                        const report::TracedLaunch& other, const Moment& moment);

/// Above what is drawn of one step: its warp, its line, and that line's text. Where the next part begins.
double draw_step_heading(Drawing& drawing, double y, const simulator::Trace& trace, std::size_t step);

}  // namespace warpwise::print
