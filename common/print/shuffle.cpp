// Whose value each lane takes: lanes that give above, lanes that get below.

#include <algorithm>

#include "views.hpp"

namespace warpwise::print {

using simulator::Trace;
using simulator::TraceShuffle;

namespace {

constexpr double way_down = 46;
constexpr std::size_t most_shuffles = 10;

double draw_exchange(Drawing& drawing, double y, const TraceShuffle& shuffle) {
  const std::vector<std::uint32_t> takers = lanes_of(shuffle.lanes);
  std::uint32_t givers = 0;
  for (const std::uint32_t lane : shuffle.from) givers |= 1u << lane;
  draw_lane_row(drawing, y, "from", givers);
  draw_lane_row(drawing, y + lane_width + way_down, "to", shuffle.lanes);
  const bool has_room = std::all_of(shuffle.values.begin(), shuffle.values.end(),
                                    [](const std::string& value) { return value.size() <= 3; });
  const bool is_tight = std::any_of(shuffle.values.begin(), shuffle.values.end(),
                                    [](const std::string& value) { return value.size() > 2; });
  for (std::size_t i = 0; i < takers.size(); ++i) {
    const bool is_own = shuffle.from[i] == takers[i];
    const double x = middle_of(takers[i]);
    drawing.line(is_own ? "carried" : "read arrowed", middle_of(shuffle.from[i]), y + lane_width, x,
                 y + lane_width + way_down - 1);
    if (has_room)
      drawing.text(is_tight ? "tight" : "cell", x, y + 2 * lane_width + way_down + 12, shuffle.values[i]);
  }
  if (has_room) drawing.text("", 0, y + 2 * lane_width + way_down + 12, "value");
  return y + 2 * lane_width + way_down + (has_room ? 18 : 4);
}

std::string draw_shuffle(Drawing& drawing, double y, const report::TracedLaunch& traced,
                         const Moment& moment) {
  const Trace& trace = traced.trace;
  const auto fits = [](const simulator::TraceStep& step) { return !step.shuffles.empty(); };
  std::vector<std::size_t> steps = steps_of_warp(trace, moment, fits, "a shuffle");
  if (moment.is_open()) steps.resize(1);
  std::string description;
  std::size_t drawn = 0, before = trace.steps.size();
  for (const std::size_t step : steps) {
    if (drawn >= most_shuffles) break;
    if (drawn == 0 || !is_same_place(trace, before, step)) y = draw_step_heading(drawing, y, trace, step);
    before = step;
    for (const TraceShuffle& shuffle : trace.steps[step].shuffles) {
      if (drawn++ >= most_shuffles) break;
      const std::string sentence = sentence_of(shuffle);
      drawing.text("sentence", 0, y + 11, sentence);
      y = draw_exchange(drawing, y + 22, shuffle) + 14;
      description += (description.empty() ? "" : " ") + sentence;
    }
  }
  return description;
}

}  // namespace

extern constinit const View shuffle_view{"shuffle", draw_shuffle};

}  // namespace warpwise::print
