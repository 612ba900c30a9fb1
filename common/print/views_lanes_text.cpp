// Who works when, as text: each step of a warp, its lanes, and what its accesses cost.

#include <ostream>

#include "terminal.hpp"
#include "views.hpp"

namespace warpwise::print {

using simulator::Trace;
using simulator::TraceAccess;
using simulator::TraceStep;

namespace {

std::string lanes_text(std::uint32_t lanes) {
  std::string text(warp_size, '.');
  for (std::uint32_t lane = 0; lane < warp_size; ++lane)
    if (lanes >> lane & 1) text[lane] = '#';
  return text;
}

std::string banks_text(const Trace& trace, const TraceAccess& access) {
  std::string text(warp_size, '.');
  for (const auto& [number, bank] : banks_of(trace, access))
    text[number] = ".123456789abcdefghijklmnopqrstuvw"[bank.words.size()];
  return text;
}

/// "load partial 2, store partial 2": after the array its wavefronts, or sectors.
std::string accesses_text(const Trace& trace, const TraceStep& step) {
  std::string text;
  for (const TraceAccess& access : step.accesses) {
    const simulator::TraceArray& array = trace.arrays[access.array];
    text += (text.empty() ? "" : ", ") + access.kind + ' ' + array.name + ' ' +
            std::to_string(array.is_shared ? access.wavefronts : access.sectors);
  }
  if (!step.shuffles.empty()) text += text.empty() ? "shuffle" : ", shuffle";
  return text;
}

/// "4 apart: load partial 2, store partial 2"
std::string doings_text(const Trace& trace, const TraceStep& step) {
  const std::string reach = text_of(reach_of(trace, step)), accesses = accesses_text(trace, step);
  return reach + (reach.empty() || accesses.empty() ? "" : ": ") + accesses;
}

/// Of the moment; where it says nothing, of the first warp.
std::vector<std::size_t> steps_to_print(const Trace& trace, Moment moment) {
  if (trace.steps.empty()) return {};
  if (moment.is_open() && !moment.block) moment.block = trace.steps.front().block;
  if (moment.is_open() && !moment.warp) moment.warp = 0;
  return steps_of_warp(
      trace, moment, [](const TraceStep&) { return true; }, "a lane at work");
}

void print_steps(std::ostream& out, const Trace& trace, const Moment& moment) {
  const std::vector<std::size_t> steps = steps_to_print(trace, moment);
  const TraceStep first = steps.empty() ? TraceStep{} : trace.steps[steps.front()];
  const std::vector<Turn> turns = turns_of(trace);
  const bool has_gaps = !steps.empty() && steps.back() - steps.front() + 1 != steps.size();
  out << "\nSteps of block " << first.block << ", " << warp_text(first.warp)
      << ". A working lane is #, an idle one is .\n"
      << (has_gaps ? "Missing numbers are steps of other lines or other warps.\n" : "")
      << "After the line: which time the lanes reach it. After the lanes: how far apart\n"
      << "they read, or from where. After an access: its wavefronts (shared memory) or\n"
      << "sectors (global memory).\n"
      << "step  line        0       8       16      24\n";
  std::uint32_t interval = 0;
  for (const std::size_t i : steps) {
    const TraceStep& step = trace.steps[i];
    if (step.interval != interval) out << "------------ barrier " << (interval = step.interval) << '\n';
    const std::uint32_t line = trace.code[step.first].line;
    const std::string head = flush_right(i + 1, 4) + flush_right(line == 0 ? "" : std::to_string(line), 6) +
                             flush_right(text_of(turns[i]), 6) + "  " + lanes_text(step.lanes);
    const std::string note =
        shortened((step.defect.empty() ? "" : "[" + step.defect + "] ") + doings_text(trace, step),
                  80 - head.size() - 2);
    out << head << (note.empty() ? "" : "  ") << note << '\n';
    for (const TraceAccess& access : step.accesses)
      if (access.bank_conflicts != 0)
        out << "           banks  " << banks_text(trace, access) << "  words a bank: " << access.wavefronts
            << " wavefronts\n";
  }
}

void print_left_out(std::ostream& out, const Trace& trace) {
  if (trace.instructions_left_out == 0) return;
  out << "\nNot recorded: " << trace.instructions_left_out << " warp instructions of the launch";
  if (trace.blocks_left_out != 0)
    out << ", all of " << trace.blocks_left_out << (trace.blocks_left_out == 1 ? " block" : " blocks");
  out << ".\n";
}

}  // namespace

void print_lanes(std::ostream& out, const report::TracedLaunch& traced, const Moment& moment) {
  print_steps(out, traced.trace, moment);
  print_left_out(out, traced.trace);
}

}  // namespace warpwise::print
