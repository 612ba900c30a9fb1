// The source, with what each line cost in the whole launch: the report's numbers.

#include <algorithm>
#include <ostream>

#include "tables.hpp"
#include "terminal.hpp"
#include "views.hpp"

namespace warpwise::print {

using simulator::Counters;
using simulator::LineCounters;

namespace {

constexpr double cost_row = 36, bar_left = 40, bar_room = 90;

/// "10 warp instructions · 50 % busy · ▼ 1 conflict"
std::string costs_text(const Counters& c) {
  std::string text =
      plural(c.warp_instructions, "warp instruction") + " · " + std::to_string(busy_percent(c)) + " % busy";
  const auto add = [&](std::uint64_t count, const char* mark, const std::string& one,
                       const std::string& many = {}) {
    if (count != 0) text += mark + plural(count, one, many);
  };
  add(shared_wavefronts(c), " · ", "wavefront");
  add(bank_conflicts(c), " · ▼ ", "conflict");
  add(global_sectors(c), " · ", "sector");
  add(c.divergent_branches, " · ◇ ", "divergent", "divergent");
  return text;
}

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
    drawing.text(is_hot ? "small hot" : "small", bar_left + bar_room + 12, y + 26, costs_text(line.counters));
    y += cost_row;
  }
  return "The line that costs most is " + std::to_string(hottest->line) + ": " +
         costs_text(hottest->counters) + ".";
}

/// Narrow columns, so that half of the line is left for the code.
void print_costs(std::ostream& out, const report::TracedLaunch& traced, const Moment&) {
  out << "Costs of each line, of the whole launch: warp instructions, lanes busy, shared\n"
      << "wavefronts and bank conflicts, global sectors, divergent branches\n"
      << " instr. busy  wavef. confl.  sect.  div.  line\n";
  std::string file;
  for (const simulator::LineCounters& line : traced.launch.report.lines) {
    if (line.file != file) out << (file = line.file) << '\n';
    const Counters& c = line.counters;
    const std::string numbers = flush_right(c.warp_instructions, 7) + flush_right(busy_percent(c), 4) + "%" +
                                flush_right(shared_wavefronts(c), 8) + flush_right(bank_conflicts(c), 7) +
                                flush_right(global_sectors(c), 7) + flush_right(c.divergent_branches, 6) +
                                flush_right(line.line, 6) + "  ";
    out << numbers << shortened(source_line(traced.trace, line.file, line.line), 80 - numbers.size()) << '\n';
  }
}

}  // namespace

extern constinit const View costs_view{"costs", draw_costs, print_costs};

}  // namespace warpwise::print
