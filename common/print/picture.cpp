#include "picture.hpp"

#include <stdexcept>
#include <utility>

#include "facts.hpp"
#include "drawing.hpp"
#include "views.hpp"

namespace warpwise::print {

namespace {

/// The title above every picture, and how the run was made where that is not as usual.
double draw_title(Drawing& drawing, const report::TracedLaunch& traced) {
  drawing.text("title", 0, 15, title_of(traced.launch));
  if (traced.trace.schedule != "converged")
    drawing.text("faint", Drawing::width, 15, "schedule " + traced.trace.schedule, Anchor::end);
  return 30;
}

using Draw = std::string (*)(Drawing& drawing, double y, const report::TracedLaunch& traced,
                             const Moment& moment);

/// The pictures of one run.
constexpr std::pair<std::string_view, Draw> views[] = {
    {"lanes", draw_lanes}, {"banks", draw_banks},     {"sectors", draw_sectors}, {"shuffle", draw_shuffle},
    {"tree", draw_tree},   {"finding", draw_finding}, {"costs", draw_costs}};

Draw drawer_of(std::string_view view) {
  for (const auto& [name, draw] : views)
    if (name == view) return draw;
  throw std::invalid_argument("there is no view '" + std::string(view) + "'");
}

}  // namespace

double draw_step_heading(Drawing& drawing, double y, const simulator::Trace& trace, std::size_t index) {
  const simulator::TraceStep& step = trace.steps[index];
  const std::uint32_t line = place_of(trace, step).line;
  const std::string turn = text_of(turns_of(trace)[index]);
  drawing.text("faint", 0, y + 12,
               "block " + std::to_string(step.block) + ", " + warp_text(step.warp) +
                   (line == 0 ? "" : ", line " + std::to_string(line)) +
                   (turn.empty() ? "" : ", " + turn + " time"));
  if (line == 0) return y + 20;
  drawing.code(0, y + 29, source_of(trace, step));
  return y + 38;
}

std::vector<std::string> view_names() {
  std::vector<std::string> names;
  for (const auto& [name, draw] : views) names.emplace_back(name);
  names.emplace_back("beside");
  return names;
}

std::string picture_of(std::string_view view, const report::TracedLaunch& traced, const Moment& moment,
                       const std::string& command, const report::TracedLaunch* beside) {
  Drawing drawing;
  std::string description;
  if (view == "beside") {
    if (beside == nullptr)
      throw NothingToDraw("--svg beside needs a second run: --beside solution, or CHAPTER:KERNEL.");
    description = draw_beside(drawing, 30, traced, *beside, moment);
  } else {
    const double y = draw_title(drawing, traced);
    description = drawer_of(view)(drawing, y, traced, moment);
  }
  return drawing.file(title_of(traced.launch), description, command);
}

}  // namespace warpwise::print
