#pragma once
/// \file The views of a run: each a picture, and where it has one its part of the text. Their tabs on the
/// page are in page/.

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "drawing.hpp"
#include "facts.hpp"
#include "recorded_run.hpp"

namespace warpwise::print {

struct View {
  std::string_view name;  ///< after --svg
  /// Draws from `y` downwards, and returns what it shows in a sentence or two for those who cannot see it.
  /// Throws NothingToDraw.
  std::string (*draw)(Drawing& drawing, double y, const report::TracedLaunch& traced, const Moment& moment);
  /// The same for a terminal; null: the text has nothing of it.
  void (*print)(std::ostream& out, const report::TracedLaunch& traced, const Moment& moment) = nullptr;
};
/// All of them, in the order of CMakeLists.txt, where each has its name; its file defines it as
/// `extern constinit const View NAME_view`.
std::vector<View> all_views();

/// Who works when, for a terminal.
void print_lanes(std::ostream& out, const report::TracedLaunch& traced, const Moment& moment);

/// Who works when, of two runs on the same axes.
std::string draw_beside(Drawing& drawing, double y, const report::TracedLaunch& traced,
                        const report::TracedLaunch& other, const Moment& moment);

/// Above what is drawn of one step: its warp, its line, and that line's text. Where the next part begins.
double draw_step_heading(Drawing& drawing, double y, const simulator::Trace& trace, std::size_t step);

using Fits = std::function<bool(const simulator::TraceStep&)>;

/// Indices into Trace::steps, ascending: the steps of the moment that fit, of all warps of one block. Throws
/// NothingToDraw where there is none; `what` says what was looked for: "an access to shared memory".
std::vector<std::size_t> steps_of(const simulator::Trace& trace, const Moment& moment, const Fits& fits,
                                  const std::string& what);

/// The same of one warp: the moment's, or that of the first such step.
std::vector<std::size_t> steps_of_warp(const simulator::Trace& trace, const Moment& moment, const Fits& fits,
                                       const std::string& what);

}  // namespace warpwise::print
