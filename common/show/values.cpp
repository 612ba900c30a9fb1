#include "values.hpp"

#include <algorithm>

#include "accesses.hpp"

namespace warpwise::show {

using simulator::Trace;
using simulator::TraceAccess;
using simulator::TraceStep;
using simulator::TraceValue;

std::vector<Result> results_of(const Trace& trace, std::uint64_t block) {
  std::map<std::string, std::size_t> index_of;
  std::vector<Result> results;
  for (const TraceStep& step : trace.steps) {
    if (step.block != block) continue;
    for (const TraceAccess& access : step.accesses) {
      const simulator::TraceArray& array = trace.arrays[access.array];
      if (array.is_shared || access.kind == "load") continue;
      const std::vector<std::string>& values = access.after.empty() ? access.values : access.after;
      for (const Want& want : wants_of(trace, access))
        for (std::uint32_t e = 0; e < access.elements; ++e) {
          const std::uint32_t node = access.nodes[want.first_value + e];
          if (node == 0) continue;
          const std::string place =
              array.name + '[' + std::to_string(want.offset / access.element_bytes + e) + ']';
          const auto [at, is_new] = index_of.try_emplace(place, results.size());
          if (is_new) results.emplace_back();
          results[at->second] = {place, node, values[want.first_value + e]};
        }
    }
  }
  return results;
}

std::map<std::uint32_t, std::uint32_t> depths_under(const Trace& trace,
                                                    const std::vector<std::uint32_t>& roots) {
  std::map<std::uint32_t, std::uint32_t> depth;
  std::vector<std::uint32_t> open = roots;
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    std::uint32_t deepest = 0;
    const std::size_t before = open.size();
    for (const std::uint32_t from : trace.values[node - 1].from) {
      const auto known = depth.find(from);
      if (known == depth.end())
        open.push_back(from);
      else
        deepest = std::max(deepest, known->second + 1);
    }
    if (open.size() != before) continue;
    open.pop_back();
    depth[node] = deepest;
  }
  return depth;
}

std::vector<std::uint32_t> threads_taken_in(const Trace& trace, std::uint32_t root) {
  std::vector<std::uint32_t> threads;
  const TraceValue& result = trace.values[root - 1];
  for (const TraceValue* value = &result; !value->from.empty();) {
    const auto is_own = [&](std::uint32_t node) {
      const TraceValue& operand = trace.values[node - 1];
      return operand.thread == value->thread && operand.block == value->block;
    };
    const auto own = std::find_if(value->from.begin(), value->from.end(), is_own);
    const auto next = own == value->from.end() ? value->from.begin() : own;
    for (auto operand = value->from.begin(); operand != value->from.end(); ++operand) {
      const TraceValue& taken = trace.values[*operand - 1];
      if (operand != next && (!taken.from.empty() || taken.thread != result.thread))
        threads.push_back(taken.thread);
    }
    value = &trace.values[*next - 1];
  }
  std::reverse(threads.begin(), threads.end());
  return threads;
}

}  // namespace warpwise::show
