#include "views.hpp"

#include <algorithm>
#include <ostream>
#include <stdexcept>

namespace warpwise::print {

namespace {

/// The title above every picture, and how the run was made where that is not as usual.
double draw_title(Drawing& drawing, const report::TracedLaunch& traced) {
  drawing.text("title", 0, 15, title_of(traced.launch));
  if (traced.trace.schedule != "converged")
    drawing.text("faint", Drawing::width, 15, "schedule " + traced.trace.schedule, Anchor::end);
  return 30;
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
  for (const View& view : all_views()) names.emplace_back(view.name);
  names.emplace_back("beside");
  return names;
}

std::string picture_of(std::string_view name, const report::TracedLaunch& traced, const Moment& moment,
                       const std::string& command, const report::TracedLaunch* beside) {
  Drawing drawing;
  if (name == "beside") {
    if (beside == nullptr)
      throw NothingToDraw("--svg beside needs a second run: --beside solution, or CHAPTER:KERNEL.");
    const std::string description = draw_beside(drawing, 30, traced, *beside, moment);
    return drawing.file(title_of(traced.launch), description, command);
  }
  const std::vector<View> views = all_views();
  const auto view =
      std::find_if(views.begin(), views.end(), [&](const View& each) { return each.name == name; });
  if (view == views.end()) throw std::invalid_argument("there is no view '" + std::string(name) + "'");
  const double y = draw_title(drawing, traced);
  const std::string description = view->draw(drawing, y, traced, moment);
  return drawing.file(title_of(traced.launch), description, command);
}

void print_text(std::ostream& out, const report::TracedLaunch& traced, const Moment& moment) {
  const simulator::LaunchReport& report = traced.launch.report;
  out << report.kernel << ": grid of " << extent(report.grid) << ", blocks of " << extent(report.block)
      << " threads";
  if (traced.launch.elements != 0) out << ", n = " << traced.launch.elements;
  out << ", schedule " << traced.trace.schedule << "\n\n";
  for (const View& view : all_views())
    if (view.print != nullptr) view.print(out, traced, moment);
}

}  // namespace warpwise::print
