// The source, with what each line cost in the whole launch: the report's numbers.

#include <algorithm>

#include "facts.hpp"
#include "views.hpp"

namespace warpwise::print {

using simulator::Counters;
using simulator::LineCounters;

std::uint64_t shared_wavefronts(const Counters& c) {
  return c.shared_load_wavefronts + c.shared_store_wavefronts + c.shared_atomic_wavefronts;
}
std::uint64_t bank_conflicts(const Counters& c) {
  return c.shared_load_bank_conflicts + c.shared_store_bank_conflicts + c.shared_atomic_bank_conflicts;
}
std::uint64_t global_sectors(const Counters& c) {
  return c.global_load_sectors + c.global_store_sectors + c.global_atomic_sectors;
}
std::uint64_t busy_percent(const Counters& c) {
  return static_cast<std::uint64_t>(100 * c.lane_utilisation() + 0.5);
}

namespace {

constexpr double cost_row = 36, bar_left = 40, bar_room = 90;

std::string costs_of(const Counters& c) {
  std::string text =
      plural(c.warp_instructions, "warp instruction") + " · " + std::to_string(busy_percent(c)) + " % busy";
  const auto add = [&](std::uint64_t count, const char* mark, const std::string& one,
                       const std::string& many) {
    if (count != 0) text += mark + plural(count, one, many);
  };
  add(shared_wavefronts(c), " · ", "wavefront", "");
  add(bank_conflicts(c), " · ▼ ", "conflict", "");
  add(global_sectors(c), " · ", "sector", "");
  add(c.divergent_branches, " · ◇ ", "divergent", "divergent");
  return text;
}

}  // namespace

std::string draw_costs(Drawing& drawing, double y, const report::TracedLaunch& traced, const Moment&) {
  const std::vector<LineCounters>& lines = traced.launch.report.lines;
  if (lines.empty()) throw NothingToDraw("No line of the kernel was executed.");
  const auto hottest =
      std::max_element(lines.begin(), lines.end(), [](const LineCounters& a, const LineCounters& b) {
        return a.counters.warp_instructions < b.counters.warp_instructions;
      });
  const auto most = static_cast<double>(std::max<std::uint64_t>(1, hottest->counters.warp_instructions));
  std::string file;
  for (const LineCounters& line : lines) {
    if (line.file != file) {
      drawing.text("faint", 0, y + 12, file = line.file);
      y += 20;
    }
    const bool is_hot = &line == &*hottest;
    drawing.text("small", 30, y + 12, std::to_string(line.line), Anchor::end);
    drawing.code(bar_left, y + 12, source_line(traced.trace, line.file, line.line));
    drawing.rect("lane", bar_left, y + 18,
                 std::max(1.0, bar_room * static_cast<double>(line.counters.warp_instructions) / most), 8);
    drawing.text(is_hot ? "small hot" : "small", bar_left + bar_room + 12, y + 26, costs_of(line.counters));
    y += cost_row;
  }
  return "The line that costs most is " + std::to_string(hottest->line) + ": " + costs_of(hottest->counters) +
         ".";
}

}  // namespace warpwise::print
