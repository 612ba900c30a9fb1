#include "text.hpp"

#include <ostream>

#include "facts.hpp"

namespace warpwise::print {

namespace {

using simulator::Counters;
using simulator::Trace;
using simulator::TraceAccess;
using simulator::TraceStep;

constexpr std::size_t columns = 80;

std::string right(const std::string& text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}
std::string right(std::uint64_t number, std::size_t width) { return right(std::to_string(number), width); }

/// Cut to what is left of the line, with "..." where something is missing. Never inside a character.
std::string fitted(std::string text, std::size_t width) {
  if (text.size() <= width) return text;
  std::size_t end = width < 3 ? 0 : width - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

/// Narrow columns, so that half of the line is left for the code.
void print_costs(std::ostream& out, const report::TracedLaunch& traced) {
  out << "Costs of each line, of the whole launch: warp instructions, lanes busy, shared\n"
      << "wavefronts and bank conflicts, global sectors, divergent branches\n"
      << " instr. busy  wavef. confl.  sect.  div.  line\n";
  std::string file;
  for (const simulator::LineCounters& line : traced.launch.report.lines) {
    if (line.file != file) out << (file = line.file) << '\n';
    const Counters& c = line.counters;
    const std::string numbers = right(c.warp_instructions, 7) + right(busy_percent(c), 4) + "%" +
                                right(shared_wavefronts(c), 8) + right(bank_conflicts(c), 7) +
                                right(global_sectors(c), 7) + right(c.divergent_branches, 6) +
                                right(line.line, 6) + "  ";
    out << numbers << fitted(source_line(traced.trace, line.file, line.line), columns - numbers.size())
        << '\n';
  }
}

/// "load partial 2, store partial 2": behind the array its wavefronts, or sectors.
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
  if (moment.is_open() && !moment.block) moment.block = 0;
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
      << ". A lane that works is #, one that does not is .\n"
      << (has_gaps ? "Numbers that are left out are steps of other lines or other warps.\n" : "")
      << "Behind the line: which time the lanes come by it. Behind the lanes: how far\n"
      << "apart they read, or from where. Behind an access: its wavefronts (shared\n"
      << "memory) or sectors (global memory).\n"
      << "step  line        0       8       16      24\n";
  std::uint32_t interval = 0;
  for (const std::size_t i : steps) {
    const TraceStep& step = trace.steps[i];
    if (step.interval != interval) out << "------------ barrier " << (interval = step.interval) << '\n';
    const std::uint32_t line = trace.code[step.first].line;
    const std::string head = right(i + 1, 4) + right(line == 0 ? "" : std::to_string(line), 6) +
                             right(text_of(turns[i]), 6) + "  " + lanes_text(step.lanes);
    const std::string note =
        fitted((step.defect.empty() ? "" : "[" + step.defect + "] ") + doings_text(trace, step),
               columns - head.size() - 2);
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

void print_text(std::ostream& out, const report::TracedLaunch& traced, const Moment& moment) {
  const simulator::LaunchReport& report = traced.launch.report;
  out << report.kernel << ": grid of " << extent(report.grid) << ", blocks of " << extent(report.block)
      << " threads";
  if (traced.launch.elements != 0) out << ", n = " << traced.launch.elements;
  out << ", schedule " << traced.trace.schedule << "\n\n";
  print_costs(out, traced);
  print_steps(out, traced.trace, moment);
  print_left_out(out, traced.trace);
  for (const simulator::Finding& finding : report.findings) out << '\n' << format(finding) << '\n';
}

}  // namespace warpwise::print
