#include "picture.hpp"

#include "../steps.hpp"
#include "../turns.hpp"
#include "drawing.hpp"
#include "views.hpp"

namespace warpwise::show {

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

std::string picture_of(View view, const report::TracedLaunch& traced, const Moment& moment,
                       const std::string& command, const report::TracedLaunch* beside) {
  Drawing drawing;
  const double y = view == View::beside ? 30 : draw_title(drawing, traced);
  std::string description;
  switch (view) {
    case View::lanes:
      description = draw_lanes(drawing, y, traced, moment);
      break;
    case View::banks:
      description = draw_banks(drawing, y, traced, moment);
      break;
    case View::sectors:
      description = draw_sectors(drawing, y, traced, moment);
      break;
    case View::shuffle:
      description = draw_shuffle(drawing, y, traced, moment);
      break;
    case View::tree:
      description = draw_tree(drawing, y, traced, moment);
      break;
    case View::finding:
      description = draw_finding(drawing, y, traced, moment);
      break;
    case View::costs:
      description = draw_costs(drawing, y, traced, moment);
      break;
    case View::beside:
      if (beside == nullptr)
        throw NothingToDraw("--svg beside needs a second run: --beside solution, or CHAPTER:KERNEL.");
      description = draw_beside(drawing, y, traced, *beside, moment);
      break;
    default:
      throw NothingToDraw("not drawn yet");
  }
  return drawing.file(title_of(traced.launch), description, command);
}

}  // namespace warpwise::show
