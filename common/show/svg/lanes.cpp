// Who works when: threads across, steps down, barriers as rules. Order, not time.

#include <algorithm>
#include <bit>
#include <set>

#include "../steps.hpp"
#include "views.hpp"

namespace warpwise::show {

using simulator::Trace;
using simulator::TraceStep;

namespace {

constexpr double row_height = 13, rule_height = 22, numbers = 34, marks = 26;

class LanesPicture {
 public:
  LanesPicture(Drawing& drawing, const report::TracedLaunch& traced, std::vector<std::size_t> steps)
      : drawing_(drawing),
        trace_(traced.trace),
        threads_(static_cast<std::uint32_t>(extent(traced.launch.report.block))),
        steps_(std::move(steps)),
        rows_(rows_of(trace_, steps_)) {
    for (const std::size_t i : steps_) warps_.insert(trace_.steps[i].warp);
    const auto count = static_cast<double>(warps_.size());
    cell_ = std::min(10.0, (Drawing::width / count - numbers - marks) / warp_size);
  }

  void draw(double y) {
    draw_heads(y);
    top_ = y + 32;
    draw_rules();
    for (const std::size_t i : steps_) draw_step(trace_.steps[i], y_of(i));
    draw_meaning_of_marks();
  }

 private:
  double x_of(std::uint32_t warp) const {
    const auto place = std::distance(warps_.begin(), warps_.find(warp));
    return numbers + static_cast<double>(place) * (warp_size * cell_ + numbers + marks);
  }
  std::size_t rules_above(std::uint32_t interval) const {
    return static_cast<std::size_t>(std::distance(rows_.first_row.begin(), rows_.first_row.find(interval)));
  }
  double y_of(std::size_t index) const {
    return top_ + row_height * static_cast<double>(rows_.row_of.at(index)) +
           rule_height * static_cast<double>(rules_above(trace_.steps[index].interval));
  }
  /// One warp leaves room for the text of its lines.
  bool has_code() const { return warps_.size() == 1; }

  void draw_heads(double y) {
    for (const std::uint32_t warp : warps_) {
      drawing_.text("", x_of(warp), y + 12, "warp " + std::to_string(warp));
      for (std::uint32_t lane = 0; lane < warp_size; lane += cell_ >= 6 ? 8 : 16)
        drawing_.text("small", x_of(warp) + lane * cell_, y + 27, std::to_string(warp * warp_size + lane));
    }
    drawing_.text("small", 0, y + 27, "line");
  }

  void draw_rules() {
    for (const auto& [interval, first] : rows_.first_row) {
      if (interval == 0 || rules_above(interval) == 0) continue;
      const double y = top_ + row_height * static_cast<double>(first) +
                       rule_height * static_cast<double>(rules_above(interval)) - 6;
      drawing_.line("barrier", 0, y, Drawing::width, y);
      drawing_.text("small", Drawing::width, y - 3, "barrier " + std::to_string(interval), Anchor::end);
    }
  }

  void draw_step(const TraceStep& step, double y) {
    const double x = x_of(step.warp), height = row_height - 2;
    const std::uint32_t existing = std::min(warp_size, threads_ - std::min(threads_, step.warp * warp_size));
    drawing_.rect("idle", x, y, cell_ * existing, height);
    draw_busy(step.lanes, x, y, height);
    const std::uint32_t line = place_of(trace_, step).line;
    if (line != 0) drawing_.text("small", x - 6, y + 9.5, std::to_string(line), Anchor::end);
    draw_marks(step, x + cell_ * warp_size + 4, y);
    if (has_code()) drawing_.code(x + cell_ * warp_size + 2 + marks, y + 9.5, source_of(trace_, step));
  }

  /// Neighbours together, with a hair between them.
  void draw_busy(std::uint32_t lanes, double x, double y, double height) {
    std::string cells;
    for (const std::uint32_t lane : lanes_of(lanes))
      cells += 'M' + number(x + lane * cell_) + ' ' + number(y) + 'h' + number(cell_ - (cell_ > 4 ? 1 : 0)) +
               'v' + number(height) + 'h' + number(-(cell_ - (cell_ > 4 ? 1 : 0))) + 'z';
    const bool is_whole = lanes == 0xffffffff;
    if (is_whole)
      drawing_.rect("lane", x, y, cell_ * warp_size - 1, height);
    else
      drawing_.path("lane", cells);
  }

  void draw_marks(const TraceStep& step, double x, double y) {
    if (std::any_of(step.branches.begin(), step.branches.end(), is_divergent)) {
      drawing_.path("mark-divergent", 'M' + number(x) + ' ' + number(y + 5) + "l4.5-4.5l4.5 4.5l-4.5 4.5z");
      has_divergence_ = true;
    }
    if (std::any_of(step.accesses.begin(), step.accesses.end(),
                    [](const simulator::TraceAccess& access) { return access.bank_conflicts != 0; })) {
      drawing_.path("mark-conflict", 'M' + number(x + 11) + ' ' + number(y + 1) + "h8l-4 8z");
      has_conflict_ = true;
    }
    if (!step.defect.empty()) {
      drawing_.path("defect", 'M' + number(x + 12) + ' ' + number(y + 1) + "l8 8m0-8l-8 8");
      has_defect_ = true;
    }
  }

  /// Only of those that stand there.
  void draw_meaning_of_marks() {
    std::string text = "Filled: a lane that works. Pale: one that does not.";
    if (has_divergence_) text += " ◇ Here lanes of a warp part.";
    if (has_conflict_) text += " ▼ Lanes meet in a bank.";
    if (has_defect_) text += " ✕ A finding.";
    drawing_.text("small", 0, drawing_.height() + 16, text + " Rows are order, not time.");
  }

  Drawing& drawing_;
  const Trace& trace_;
  std::uint32_t threads_;
  std::vector<std::size_t> steps_;
  Rows rows_;
  std::set<std::uint32_t> warps_;
  double cell_ = 0, top_ = 0;
  bool has_divergence_ = false, has_conflict_ = false, has_defect_ = false;
};

}  // namespace

std::string draw_lanes(Drawing& drawing, double y, const report::TracedLaunch& traced, const Moment& moment) {
  std::vector<std::size_t> steps = steps_of(
      traced.trace, moment, [](const TraceStep&) { return true; }, "a lane at work");
  std::size_t busy = 0;
  std::set<std::uint32_t> warps;
  for (const std::size_t i : steps) {
    busy += static_cast<std::size_t>(std::popcount(traced.trace.steps[i].lanes));
    warps.insert(traced.trace.steps[i].warp);
  }
  const std::string description =
      plural(steps.size(), "step") + " of " + plural(warps.size(), "warp") + "; " + std::to_string(busy) +
      " of " + std::to_string(steps.size() * warp_size) + " lanes work. Rows are order, not time.";
  LanesPicture(drawing, traced, std::move(steps)).draw(y);
  return description;
}

}  // namespace warpwise::show
