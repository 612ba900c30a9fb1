// Who works when: threads across, steps down, barriers as rules. Order, not time.

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "views.hpp"

namespace warpwise::print {

using simulator::Trace;
using simulator::TraceStep;

namespace {

constexpr double row_height = 13, rule_height = 22;
/// Left of the lanes, for "21" and for "21, 3rd"; right of them, for marks, and for "4 apart" after them.
constexpr double room_for_line = 34, room_for_turn = 62, room_for_marks = 26, room_for_reach = 52;
/// Narrower lanes are not worth those words.
constexpr double least_cell = 4;
/// Lanes that would become narrower than this share one column of lines, at the left of all warps.
constexpr double least_cell_with_line = 2, room_for_shared_line = 44;

class LanesPicture {
 public:
  /// In the columns from `left` on.
  LanesPicture(Drawing& drawing, const report::TracedLaunch& traced, std::vector<std::size_t> steps,
               double left, double width)
      : drawing_(drawing),
        left_(left),
        width_(width),
        trace_(traced.trace),
        threads_(static_cast<std::uint32_t>(extent(traced.launch.report.block))),
        steps_(std::move(steps)),
        rows_(rows_of(trace_, steps_)),
        turns_(turns_of(trace_)) {
    for (const std::size_t i : steps_) warps_.insert(trace_.steps[i].warp);
    share_width();
  }

  /// What the line of code above all takes, where the rows are of one line and have no room for its text.
  double height_of_code() const { return has_one_code() ? 18 : 0; }

  /// Without the sentence on its marks. The rows begin `room` below `y`, which is for the line of code.
  void draw_rows(double y, double room) {
    if (has_one_code()) drawing_.code(left_, y + 8, source_of(trace_, trace_.steps[steps_.front()]), width_);
    y += room;
    draw_heads(y);
    top_ = y + 32;
    draw_rules();
    for (const std::size_t i : steps_) draw_step(i, y_of(i));
    if (is_tight_) draw_shared_lines();
  }

  /// Below all that was drawn; only of those marks that stand there.
  void draw_meaning_of_marks() {
    std::string text = "Filled: a working lane. Pale: an idle one.";
    if (has_divergence_) text += " ◇ The lanes of a warp diverge.";
    if (has_conflict_) text += " ▼ A bank conflict.";
    if (has_defect_) text += " ✕ A finding.";
    if (has_turns_) text += " Left: the line, and which time the lanes reach it.";
    if (is_tight_) text += " Left: the line, where all warps are at the same one.";
    if (has_reaches_) text += " Right: how far apart they read, or from where.";
    drawing_.paragraph("small", 0, drawing_.height() + 16, text + " Rows show order, not time.");
  }

  /// The lines of these marks, from `y` on, where the rows have no room for their text.
  void draw_marked_lines(double y) {
    if (has_code() || has_one_code()) return;
    constexpr std::size_t most = 4;
    std::map<std::uint32_t, std::pair<std::string, std::string>> lines;
    for (const std::size_t i : steps_) {
      const TraceStep& step = trace_.steps[i];
      const bool is_defect = !step.defect.empty();
      if (!is_defect && !has_divergence(step)) continue;
      auto& [mark, text] = lines[place_of(trace_, step).line];
      mark = is_defect || mark == "✕" ? "✕" : "◇";
      text = source_of(trace_, step);
    }
    if (lines.size() > most) return;
    for (const auto& [line, told] : lines) {
      drawing_.text("small", left_, y += 17, told.first + ' ' + std::to_string(line));
      drawing_.code(left_ + 42, y, told.second, width_ - 42);
    }
  }

 private:
  /// Among line numbers, lanes and marks; turns and reaches only where they leave enough to the lanes.
  void share_width() {
    const auto has_turn = [&](std::size_t i) { return !text_of(turns_[i]).empty(); };
    const auto has_reach = [&](std::size_t i) { return !text_of(reach_of(trace_, trace_.steps[i])).empty(); };
    const bool has_room = cell_with(room_for_turn, room_for_marks + room_for_reach) >= least_cell;
    has_turns_ = has_room && std::any_of(steps_.begin(), steps_.end(), has_turn);
    has_reaches_ = has_room && std::any_of(steps_.begin(), steps_.end(), has_reach);
    numbers_ = has_turns_ ? room_for_turn : room_for_line;
    marks_ = room_for_marks + (has_reaches_ ? room_for_reach : 0);
    cell_ = cell_with(numbers_, marks_);
    is_tight_ = cell_ < least_cell_with_line;
    if (!is_tight_) return;
    lines_ = room_for_shared_line;
    const double column = (width_ - lines_) / static_cast<double>(warps_.size());
    numbers_ = std::min(3.0, 0.15 * column);  // and then one mark
    marks_ = std::min(10.0, 0.35 * column);
    cell_ = cell_with(numbers_, marks_);
  }
  double cell_with(double left, double right) const {
    return std::min(10.0,
                    ((width_ - lines_) / static_cast<double>(warps_.size()) - left - right) / warp_size);
  }
  double x_of(std::uint32_t warp) const {
    const auto place = std::distance(warps_.begin(), warps_.find(warp));
    return left_ + lines_ + numbers_ + static_cast<double>(place) * (warp_size * cell_ + numbers_ + marks_);
  }
  std::size_t rules_above(std::uint32_t interval) const {
    return static_cast<std::size_t>(std::distance(rows_.first_row.begin(), rows_.first_row.find(interval)));
  }
  double y_of(std::size_t index) const {
    return top_ + row_height * static_cast<double>(rows_.row_of.at(index)) +
           rule_height * static_cast<double>(rules_above(trace_.steps[index].interval));
  }
  /// One warp leaves room for the text of its lines.
  bool has_code() const { return warps_.size() == 1 && width_ == Drawing::width; }

  bool has_one_code() const {
    if (has_code()) return false;
    const auto line = [&](std::size_t step) { return place_of(trace_, trace_.steps[step]).line; };
    return std::all_of(steps_.begin(), steps_.end(),
                       [&](std::size_t i) { return line(i) == line(steps_[0]); });
  }

  /// A number that has no room is left out.
  void draw_heads(double y) {
    constexpr double digit = 7, warp = 34;
    double end_of_name = left_, end_of_number = left_;
    const auto write = [&](double x, double down, const std::string& words, double width, double& end) {
      if (x < end || x + width > left_ + width_) return;
      drawing_.text(down < 20 ? "" : "small", x, y + down, words);
      end = x + width + digit;
    };
    if (is_tight_) write(left_, 12, "warp", warp, end_of_name);
    for (const std::uint32_t number : warps_) {
      const std::string name = std::to_string(number);
      const double width = digit * static_cast<double>(name.size());
      write(x_of(number), 12, (is_tight_ ? "" : "warp ") + name, width + (is_tight_ ? 0 : warp), end_of_name);
    }
    write(left_, 27, "line", 22, end_of_number);
    for (const std::uint32_t number : warps_)
      for (std::uint32_t lane = 0; lane < warp_size; lane += cell_ >= 6 ? 8 : 16) {
        const std::string thread = std::to_string(number * warp_size + lane);
        write(x_of(number) + lane * cell_, 27, thread, digit * static_cast<double>(thread.size()),
              end_of_number);
      }
  }

  /// Of the rows in which all warps are at one line.
  void draw_shared_lines() {
    std::map<double, std::set<std::uint32_t>> lines;
    for (const std::size_t i : steps_) lines[y_of(i)].insert(place_of(trace_, trace_.steps[i]).line);
    for (const auto& [y, of_row] : lines)
      if (of_row.size() == 1 && *of_row.begin() != 0)
        drawing_.text("small", left_ + lines_ - 6, y + 9.5, std::to_string(*of_row.begin()), Anchor::end);
  }

  void draw_rules() {
    for (const auto& [interval, first] : rows_.first_row) {
      if (interval == 0 || rules_above(interval) == 0) continue;
      const double y = top_ + row_height * static_cast<double>(first) +
                       rule_height * static_cast<double>(rules_above(interval)) - 6;
      drawing_.line("barrier", left_, y, left_ + width_, y);
      drawing_.text("small", left_ + width_, y - 3, "barrier " + std::to_string(interval), Anchor::end);
    }
  }

  void draw_step(std::size_t index, double y) {
    const TraceStep& step = trace_.steps[index];
    const double x = x_of(step.warp), height = row_height - 2;
    const std::uint32_t existing = std::min(warp_size, threads_ - std::min(threads_, step.warp * warp_size));
    drawing_.rect("idle", x, y, cell_ * existing, height);
    draw_busy(step.lanes, x, y, height);
    if (!is_tight_) drawing_.text("small", x - 6, y + 9.5, name_of(index), Anchor::end);
    const double after = x + cell_ * warp_size;
    if (is_tight_)
      draw_one_mark(step, after + 1, y);
    else
      draw_marks(step, after + 4, y);
    if (has_reaches_)
      drawing_.text("small", after + room_for_marks, y + 9.5, text_of(reach_of(trace_, step)));
    if (has_code()) drawing_.code(after + 2 + marks_, y + 9.5, source_of(trace_, step));
  }

  /// "21", "21, 3rd"
  std::string name_of(std::size_t index) const {
    const std::uint32_t line = place_of(trace_, trace_.steps[index]).line;
    const std::string turn = has_turns_ ? text_of(turns_[index]) : "";
    return line == 0 ? turn : std::to_string(line) + (turn.empty() ? "" : ", " + turn);
  }

  /// Neighbours together.
  void draw_busy(std::uint32_t lanes, double x, double y, double height) {
    std::string pieces;
    for (std::uint32_t lane = 0; lane < warp_size;) {
      std::uint32_t end = lane;
      while (end < warp_size && lanes >> end & 1) ++end;
      if (end > lane) pieces += box(x + lane * cell_, y, (end - lane) * cell_ - (cell_ > 4 ? 1 : 0), height);
      lane = std::max(end, lane + 1);
    }
    drawing_.path("lane", pieces);
  }

  void draw_marks(const TraceStep& step, double x, double y) {
    if (has_divergence(step)) draw_divergence(x, y);
    if (has_bank_conflict(step)) draw_conflict(x + 11, y);
    if (!step.defect.empty()) draw_defect(x + 12, y);
  }
  /// The gravest.
  void draw_one_mark(const TraceStep& step, double x, double y) {
    if (!step.defect.empty())
      draw_defect(x, y);
    else if (has_bank_conflict(step))
      draw_conflict(x, y);
    else if (has_divergence(step))
      draw_divergence(x, y);
  }
  void draw_divergence(double x, double y) {
    drawing_.path("mark-divergent", 'M' + number(x) + ' ' + number(y + 5) + "l4.5-4.5l4.5 4.5l-4.5 4.5z");
    has_divergence_ = true;
  }
  void draw_conflict(double x, double y) {
    drawing_.path("mark-conflict", 'M' + number(x) + ' ' + number(y + 1) + "h8l-4 8z");
    has_conflict_ = true;
  }
  void draw_defect(double x, double y) {
    drawing_.path("defect", 'M' + number(x) + ' ' + number(y + 1) + "l8 8m0-8l-8 8");
    has_defect_ = true;
  }

  Drawing& drawing_;
  double left_, width_;
  const Trace& trace_;
  std::uint32_t threads_;
  std::vector<std::size_t> steps_;
  Rows rows_;
  std::vector<Turn> turns_;
  std::set<std::uint32_t> warps_;
  bool has_turns_ = false, has_reaches_ = false;  ///< are written
  bool is_tight_ = false;                         ///< the warps share one column of lines, `lines_` wide
  double lines_ = 0, numbers_ = 0, marks_ = 0, cell_ = 0, top_ = 0;
  bool has_divergence_ = false, has_conflict_ = false, has_defect_ = false;
};

std::vector<std::size_t> steps_drawn(const report::TracedLaunch& traced, const Moment& moment) {
  constexpr std::size_t most = 400;
  std::vector<std::size_t> steps = steps_of(
      traced.trace, moment, [](const TraceStep&) { return true; }, "a lane at work");
  if (steps.size() > most)
    throw NothingToDraw(
        "These are " + std::to_string(steps.size()) +
        " steps, too many for one picture: choose fewer with --at LINE, --warp W, --n or --block.");
  return steps;
}

std::string described(const report::TracedLaunch& traced, const std::vector<std::size_t>& steps) {
  std::size_t busy = 0;
  std::set<std::uint32_t> warps;
  for (const std::size_t i : steps) {
    busy += static_cast<std::size_t>(std::popcount(traced.trace.steps[i].lanes));
    warps.insert(traced.trace.steps[i].warp);
  }
  return plural(steps.size(), "step") + " of " + plural(warps.size(), "warp") + "; " + std::to_string(busy) +
         " of " + std::to_string(steps.size() * warp_size) + " lanes work. Rows show order, not time.";
}

/// In three lines, for half a picture: of two runs of one kernel the files tell which is which.
void draw_short_title(Drawing& drawing, double x, const report::TracedLaunch& traced,
                      const std::vector<std::size_t>& steps, bool is_by_file) {
  std::string title = traced.launch.report.kernel;
  if (is_by_file && !steps.empty()) title = file_of(traced.trace, traced.trace.steps[steps.front()]);
  std::size_t busy = 0;
  for (const std::size_t i : steps)
    busy += static_cast<std::size_t>(std::popcount(traced.trace.steps[i].lanes));
  const std::size_t all = std::max<std::size_t>(1, steps.size() * warp_size);
  drawing.text("title", x, 15, title.substr(title.rfind('/') + 1));
  drawing.text("faint", x, 33, shape_text(traced.launch));
  drawing.text(
      "sentence", x, 51,
      plural(steps.size(), "step") + ", " + std::to_string(100 * busy / all) + " % of the lanes at work");
}

std::string draw_lanes(Drawing& drawing, double y, const report::TracedLaunch& traced, const Moment& moment) {
  const std::vector<std::size_t> steps = steps_drawn(traced, moment);
  LanesPicture picture(drawing, traced, steps, 0, Drawing::width);
  picture.draw_rows(y, picture.height_of_code());
  picture.draw_meaning_of_marks();
  picture.draw_marked_lines(drawing.height() + 4);
  return described(traced, steps);
}

}  // namespace

extern constinit const View lanes_view{"lanes", draw_lanes, print_lanes};

std::string draw_beside(Drawing& drawing, double y, const report::TracedLaunch& traced,
                        const report::TracedLaunch& other, const Moment& moment) {
  constexpr double between = 20, half = (Drawing::width - between) / 2;
  const std::vector<std::size_t> ours = steps_drawn(traced, moment), theirs = steps_drawn(other, {});
  const bool is_same = traced.launch.report.kernel == other.launch.report.kernel;
  draw_short_title(drawing, 0, traced, ours, is_same);
  draw_short_title(drawing, half + between, other, theirs, is_same);
  y += 36;
  LanesPicture left(drawing, traced, ours, 0, half), right(drawing, other, theirs, half + between, half);
  const double room = std::max(left.height_of_code(), right.height_of_code());
  left.draw_rows(y, room);
  right.draw_rows(y, room);
  left.draw_meaning_of_marks();
  const double below = drawing.height() + 4;
  left.draw_marked_lines(below);
  right.draw_marked_lines(below);
  return "Left: " + described(traced, ours) + " Right, " + title_of(other.launch) + ": " +
         described(other, theirs);
}

}  // namespace warpwise::print
