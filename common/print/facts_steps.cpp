#include "facts.hpp"

#include <algorithm>
#include <utility>

#include "terminal.hpp"

namespace warpwise::print {

using simulator::Trace;
using simulator::TraceStep;

std::vector<std::uint32_t> lanes_of(std::uint32_t mask) {
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t lane = 0; lane < warp_size; ++lane)
    if (mask >> lane & 1) lanes.push_back(lane);
  return lanes;
}

std::string listed(const std::vector<std::uint32_t>& numbers) {
  if (numbers.empty()) return "none";
  const auto text = [&](std::size_t i) { return std::to_string(numbers[i]); };
  const std::size_t last = numbers.size() - 1;
  if (last == 0) return text(0);
  const std::uint32_t step = numbers[1] - numbers[0];
  bool is_even = true;
  for (std::size_t i = 1; i < numbers.size(); ++i) is_even &= numbers[i] - numbers[i - 1] == step;
  if (is_even && step == 1) return text(0) + (last == 1 ? " and " : " to ") + text(last);
  if (is_even && last > 3) return text(0) + ", " + text(1) + ", " + text(2) + " … " + text(last);
  const std::size_t named = std::min<std::size_t>(last, 5);
  std::string list = text(0);
  for (std::size_t i = 1; i < named; ++i) list += ", " + text(i);
  return list + " and " + (last <= 5 ? text(last) : std::to_string(last + 1 - named) + " more");
}

std::string plural(std::uint64_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many.empty() ? one + "s" : many);
}

std::string ordinal(std::uint32_t number) {
  const bool is_teen = number / 10 % 10 == 1;
  const std::uint32_t last = is_teen ? 0 : number % 10;
  return std::to_string(number) + (last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

std::string warp_text(std::uint32_t warp) {
  const std::string name = "warp " + std::to_string(warp);
  return warp == 0 ? name : name + ", from thread " + std::to_string(warp * warp_size);
}

std::uint64_t extent(const std::array<std::uint32_t, 3>& shape) {
  return std::uint64_t{shape[0]} * shape[1] * shape[2];
}

namespace {

/// "64", "2 × 3"
std::string extents_text(const std::array<std::uint32_t, 3>& shape) {
  std::string text = std::to_string(shape[0]);
  for (const std::uint32_t size : {shape[1], shape[2]})
    if (size > 1) text += " × " + std::to_string(size);
  return text;
}

std::string counted(const std::array<std::uint32_t, 3>& shape, const char* one) {
  return extents_text(shape) + ' ' + one + (extent(shape) == 1 ? "" : "s");
}

}  // namespace

std::string shape_text(const report::Launch& launch) {
  return counted(launch.report.grid, "block") + " of " + counted(launch.report.block, "thread") +
         (launch.elements == 0 ? "" : ", n = " + std::to_string(launch.elements));
}

std::string title_of(const report::Launch& launch) {
  return launch.report.kernel + ": " + shape_text(launch);
}

const simulator::TraceInstruction& place_of(const Trace& trace, const TraceStep& step) {
  return trace.code[step.first];
}

const std::string& file_of(const Trace& trace, const TraceStep& step) {
  return trace.sources[place_of(trace, step).source].file;
}

std::string source_line(const Trace& trace, const std::string& file, std::uint32_t line) {
  for (const simulator::TraceSource& source : trace.sources) {
    if (source.file != file || line < 1 || line > source.lines.size()) continue;
    return std::string(unindented(source.lines[line - 1]));
  }
  return {};
}

std::string source_of(const Trace& trace, const TraceStep& step) {
  return source_line(trace, file_of(trace, step), place_of(trace, step).line);
}

bool is_same_place(const Trace& trace, std::size_t one, std::size_t other) {
  const TraceStep &a = trace.steps[one], &b = trace.steps[other];
  return a.block == b.block && a.warp == b.warp && place_of(trace, a).line == place_of(trace, b).line &&
         place_of(trace, a).source == place_of(trace, b).source;
}

bool is_divergent(const simulator::TraceBranch& branch) {
  return branch.taken != 0 && branch.taken != branch.active;
}

bool has_divergence(const TraceStep& step) {
  return std::any_of(step.branches.begin(), step.branches.end(), is_divergent);
}

bool has_bank_conflict(const TraceStep& step) {
  return std::any_of(step.accesses.begin(), step.accesses.end(),
                     [](const simulator::TraceAccess& access) { return access.bank_conflicts != 0; });
}

bool is_whole(const Trace& trace) { return trace.blocks_left_out == 0 && trace.instructions_left_out == 0; }

Rows rows_of(const Trace& trace, const std::vector<std::size_t>& chosen) {
  using Column = std::pair<std::uint32_t, std::uint32_t>;  // interval, warp
  std::map<Column, std::size_t> steps_in;
  std::map<std::uint32_t, std::size_t> height;
  for (const std::size_t index : chosen) {
    const TraceStep& step = trace.steps[index];
    const std::size_t steps = ++steps_in[{step.interval, step.warp}];
    height[step.interval] = std::max(height[step.interval], steps);
  }
  Rows rows;
  for (const auto& [interval, count] : height) {
    rows.first_row[interval] = rows.count;
    rows.count += count;
  }
  steps_in.clear();
  for (const std::size_t index : chosen) {
    const TraceStep& step = trace.steps[index];
    rows.row_of[index] = rows.first_row[step.interval] + steps_in[{step.interval, step.warp}]++;
  }
  return rows;
}

}  // namespace warpwise::print
