// A finding: of a race the two accesses and the order that is missing between them; of a mask who was named
// and who came; of a barrier who waits and who never comes; of any other the lanes that were there.

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>

#include "../accesses.hpp"
#include "../steps.hpp"
#include "lane_row.hpp"
#include "views.hpp"

namespace warpwise::show {

using simulator::Finding;
using simulator::FindingKind;
using simulator::Trace;
using simulator::TraceAccess;
using simulator::TraceStep;

namespace {

/// One thread's access to memory.
struct Side {
  std::size_t step = 0;
  std::uint32_t thread = 0;
  const TraceAccess* access = nullptr;
  Want want;
};

std::vector<Side> accesses_of(const Trace& trace, std::uint64_t block, std::uint32_t thread,
                              std::uint32_t line) {
  std::vector<Side> sides;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const TraceStep& step = trace.steps[i];
    if (step.block != block || step.warp != thread / warp_size || place_of(trace, step).line != line)
      continue;
    for (const TraceAccess& access : step.accesses)
      for (const Want& want : wants_of(trace, access))
        if (want.lane == thread % warp_size) sides.push_back({i, thread, &access, want});
  }
  return sides;
}

bool meet(const Side& a, const Side& b) {
  return a.access->array == b.access->array && a.want.word < b.want.word + b.want.words &&
         b.want.word < a.want.word + a.want.words && (a.access->kind != "load" || b.access->kind != "load");
}

/// Two accesses to one word by the two threads of a race, between the same barriers where there are such; in
/// the order of the run.
std::optional<std::pair<Side, Side>> sides_of(const Trace& trace, const Finding& finding) {
  if (finding.threads.size() < 2) return {};
  const std::uint32_t other_line = finding.other_line == 0 ? finding.line : finding.other_line;
  const auto ours = accesses_of(trace, finding.block, finding.threads[0], finding.line);
  const auto theirs = accesses_of(trace, finding.block, finding.threads[1], other_line);
  std::optional<std::pair<Side, Side>> best;
  std::uint32_t least = 0;
  for (const Side& a : ours)
    for (const Side& b : theirs) {
      if (!meet(a, b)) continue;
      const std::uint32_t one = trace.steps[a.step].interval, other = trace.steps[b.step].interval;
      const std::uint32_t apart = std::max(one, other) - std::min(one, other);
      if (best && apart >= least) continue;
      least = apart;
      best = a.step <= b.step ? std::pair(a, b) : std::pair(b, a);
    }
  return best;
}

std::string does(const Trace& trace, const Side& side) {
  const std::string kind = side.access->kind;
  return "thread " + std::to_string(side.thread) +
         (kind == "load"    ? " reads "
          : kind == "store" ? " writes "
                            : " changes ") +
         trace.arrays[side.access->array].name + "[" +
         std::to_string(side.want.offset / side.access->element_bytes) + "]";
}

void draw_side(Drawing& drawing, double x, double y, const Trace& trace, const Side& side) {
  const TraceStep& step = trace.steps[side.step];
  const std::string value =
      side.want.first_value < side.access->values.size() ? side.access->values[side.want.first_value] : "";
  drawing.rect("event", x, y, 330, 44);
  drawing.text("sentence", x + 10, y + 18, does(trace, side));
  drawing.text(
      "faint", x + 10, y + 36,
      "line " + std::to_string(place_of(trace, step).line) + (value.empty() ? "" : ", value " + value));
}

double draw_race(Drawing& drawing, double y, const Trace& trace, const Side& first, const Side& second) {
  const auto x_of = [&](const Side& side) {
    return side.thread < std::max(first.thread, second.thread) ? 10.0 : 380.0;
  };
  const std::uint32_t interval =
      std::min(trace.steps[first.step].interval, trace.steps[second.step].interval);
  drawing.text("faint", 0, y + 12,
               "The last order that both share: " + (interval == 0 ? std::string("the start of the block")
                                                                   : "barrier " + std::to_string(interval)));
  drawing.line("barrier", 0, y + 20, Drawing::width, y + 20);
  draw_side(drawing, x_of(first), y + 34, trace, first);
  drawing.path("defect dotted", "M0 " + number(y + 112) + "H" + number(Drawing::width));
  drawing.text("missing", 0, y + 104, "✕ Nothing stands here that would put one before the other.");
  draw_side(drawing, x_of(second), y + 126, trace, second);
  drawing.text("small", 0, y + 190, "In this run they came in this order; another may have the other.");
  return y + 196;
}

/// The mask that an instruction of the step names, where it is a number in its PTX; else 0.
std::uint32_t named_mask(const Trace& trace, const TraceStep& step) {
  for (std::uint32_t i = step.first; i <= step.last; ++i) {
    const std::string& text = trace.code[i].text;
    if (text.find(".sync") == text.npos) continue;
    const std::size_t last = text.find_last_of(" ");
    if (last == text.npos) continue;
    char* end = nullptr;
    const long long mask = std::strtoll(text.c_str() + last + 1, &end, 0);
    if (end != text.c_str() + last + 1 && *end == ';') return static_cast<std::uint32_t>(mask);
  }
  return 0;
}

double draw_lanes_there(Drawing& drawing, double y, const Trace& trace, const Finding& finding,
                        const TraceStep& step) {
  const std::uint32_t mask = finding.kind == FindingKind::sync ? named_mask(trace, step) : 0;
  drawing.text("faint", 0, y + 12,
               "Block " + std::to_string(step.block) + ", warp " + std::to_string(step.warp) + ":");
  y += 22;
  if (mask != 0) {
    draw_lane_row(drawing, y, "named", mask);
    y += 30;
  }
  draw_lane_row(drawing, y, "here", step.lanes);
  y += lane_width;
  if (mask == 0 || mask == step.lanes) return y + 6;
  for (const std::uint32_t lane : lanes_of(mask ^ step.lanes))
    drawing.text("cell missing", middle_of(lane), y + 13, "✕");
  drawing.text("missing", 0, y + 13, "differ");
  return y + 20;
}

/// The lanes of `warp` that are not there when the barrier opens at which `step` waits.
std::uint32_t absent_lanes(const report::TracedLaunch& traced, std::size_t step, std::uint32_t warp) {
  const simulator::TraceBarrier* const opening = simulator::opening_behind(traced.trace, step);
  const std::uint64_t threads = extent(traced.launch.report.block);
  if (opening == nullptr || warp >= opening->lanes.size() || threads <= warp_size * warp) return 0;
  const std::uint64_t lanes = std::min<std::uint64_t>(warp_size, threads - warp_size * warp);
  return static_cast<std::uint32_t>((std::uint64_t{1} << lanes) - 1) & ~opening->lanes[warp];
}

/// Who waits at a block barrier with the step; in the warp of the finding also who never comes.
double draw_barrier(Drawing& drawing, double y, const report::TracedLaunch& traced, const Finding& finding,
                    std::size_t index) {
  const TraceStep& step = traced.trace.steps[index];
  const std::uint32_t other = finding.threads.empty() ? step.warp : finding.threads.front() / warp_size;
  for (const std::uint32_t warp : std::set<std::uint32_t>{step.warp, other}) {
    const std::uint32_t absent = absent_lanes(traced, index, warp);
    drawing.text("faint", 0, y + 12,
                 "Block " + std::to_string(step.block) + ", warp " + std::to_string(warp) + ":");
    draw_lane_row(drawing, y += 22, "waits", warp == step.warp ? step.lanes : 0);
    y += lane_width;
    if (absent != 0) {
      for (const std::uint32_t lane : lanes_of(absent))
        drawing.text("cell missing", middle_of(lane), y + 13, "✕");
      drawing.text("missing", 0, y + 13, "never");
      y += 14;
    }
    y += 6;
  }
  return y;
}

/// Where a finding was met first: the step that bears it, else the first of its threads at its line; of a
/// race whose sides cannot be told apart any at its line.
std::optional<std::size_t> step_of(const Trace& trace, const Finding& finding) {
  const auto first = [&](auto fits) -> std::optional<std::size_t> {
    const auto found = std::find_if(trace.steps.begin(), trace.steps.end(), [&](const TraceStep& step) {
      return place_of(trace, step).line == finding.line && fits(step);
    });
    if (found == trace.steps.end()) return {};
    return static_cast<std::size_t>(found - trace.steps.begin());
  };
  const auto is_there = [&](const TraceStep& step) { return step.block == finding.block; };
  if (const auto marked = first(
          [&](const TraceStep& step) { return is_there(step) && step.defect == name_of(finding.kind); }))
    return marked;
  if (const auto found = first([&](const TraceStep& step) {
        if (finding.threads.empty()) return is_there(step);
        const std::uint32_t thread = finding.threads.front();
        return is_there(step) && step.warp == thread / warp_size &&
               (step.lanes >> thread % warp_size & 1) != 0;
      }))
    return found;
  const bool is_whole = trace.blocks_left_out == 0 && trace.instructions_left_out == 0;
  if (finding.kind != FindingKind::race || !(is_whole || finding.threads.empty())) return {};
  return first([](const TraceStep&) { return true; });
}

double draw_step(Drawing& drawing, double y, const report::TracedLaunch& traced, const Finding& finding,
                 std::size_t index) {
  const TraceStep& step = traced.trace.steps[index];
  if (finding.kind == FindingKind::barrier && step.is_arrival)
    return draw_barrier(drawing, y, traced, finding, index);
  return draw_lanes_there(drawing, y, traced.trace, finding, step);
}

void draw_line_of(Drawing& drawing, double y, std::uint32_t line, const std::string& source) {
  drawing.text("faint", 0, y, std::to_string(line));
  drawing.code(40, y, source.substr(std::min(source.find_first_not_of(" \t"), source.size())));
}

}  // namespace

std::string draw_finding(Drawing& drawing, double y, const report::TracedLaunch& traced,
                         const Moment& moment) {
  const std::vector<Finding>& findings = traced.launch.report.findings;
  const auto at_line = [&](const Finding& finding) {
    return moment.place.empty() || std::to_string(finding.line) == moment.place ||
           finding.source.find(moment.place) != std::string::npos;
  };
  const auto finding = std::find_if(findings.begin(), findings.end(), at_line);
  if (finding == findings.end())
    throw NothingToDraw(findings.empty() ? "The run has no finding."
                                         : "No finding is at line " + moment.place + ".");
  y = drawing.paragraph("missing", 0, y + 12,
                        "✕ " + std::string(name_of(finding->kind)) + ": " + finding->message);
  draw_line_of(drawing, y += 20, finding->line, finding->source);
  if (finding->other_line != 0 && finding->other_line != finding->line)
    draw_line_of(drawing, y += 18, finding->other_line, finding->other_source);
  y += 16;
  if (const auto sides = finding->kind == FindingKind::race ? sides_of(traced.trace, *finding) : std::nullopt)
    y = draw_race(drawing, y, traced.trace, sides->first, sides->second);
  else if (const auto step = step_of(traced.trace, *finding))
    y = draw_step(drawing, y, traced, *finding, *step);
  else
    drawing.text("faint", 0, y += 12,
                 traced.trace.blocks_left_out == 0 && traced.trace.instructions_left_out == 0
                     ? "No single step shows it."
                     : "It lies beyond what was recorded: in a later block or a later step.");
  drawing.paragraph("", 0, y + 18, "help: " + finding->help);
  return finding->message + "; " + finding->note + ". Help: " + finding->help;
}

}  // namespace warpwise::show
