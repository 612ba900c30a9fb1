/// \file Holds a trace against its report, and the values that it follows against the results:
///
///     trace_check FILE.json [KERNEL...]
///
/// Of launches of which nothing was left out, the steps' costs must add up to the counters, of the launch and
/// of each line. Of each KERNEL, which reduces by one operator, every stored result must be what comes out
/// when the tree that was followed is computed from the elements. Exit status 1 and a line for each
/// difference.

#include <bit>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "common/report/trace_file.hpp"

namespace {

using namespace warpwise;
using simulator::Counters;
using simulator::Trace;
using simulator::TraceAccess;
using simulator::TraceStep;

int differences = 0;

void complain(const std::string& kernel, const std::string& what) {
  std::printf("%s: %s\n", kernel.c_str(), what.c_str());
  ++differences;
}

void add_access(const TraceAccess& access, bool is_shared, Counters& counters) {
  const auto one = static_cast<std::uint64_t>(!access.is_continued);
  const bool is_load = access.kind == "load", is_store = access.kind == "store";
  if (is_shared) {
    (is_load    ? counters.shared_load_requests
     : is_store ? counters.shared_store_requests
                : counters.shared_atomic_requests) += one;
    (is_load    ? counters.shared_load_wavefronts
     : is_store ? counters.shared_store_wavefronts
                : counters.shared_atomic_wavefronts) += access.wavefronts;
    (is_load    ? counters.shared_load_bank_conflicts
     : is_store ? counters.shared_store_bank_conflicts
                : counters.shared_atomic_bank_conflicts) += access.bank_conflicts;
  } else {
    (is_load    ? counters.global_load_requests
     : is_store ? counters.global_store_requests
                : counters.global_atomic_requests) += one;
    (is_load    ? counters.global_load_sectors
     : is_store ? counters.global_store_sectors
                : counters.global_atomic_sectors) += access.sectors;
  }
}

bool has_opcode(const std::string& text, const std::string& opcode) {
  const std::string bare = text.starts_with('@') ? text.substr(text.find(' ') + 1) : text;
  return bare.starts_with(opcode);
}

/// Adds up what the steps say, for each line (file and number).
std::map<std::pair<std::string, std::uint32_t>, Counters> costs_of(const Trace& trace) {
  std::map<std::pair<std::string, std::uint32_t>, Counters> lines;
  for (const TraceStep& step : trace.steps) {
    const auto& first = trace.code[step.first];
    Counters& counters = lines[{trace.sources[first.source].file, first.line}];
    const std::uint64_t instructions = step.last - step.first + 1;
    counters.warp_instructions += instructions;
    counters.thread_instructions += instructions * static_cast<std::uint64_t>(std::popcount(step.lanes));
    for (std::uint32_t i = step.first; i <= step.last; ++i) {
      const std::string& text = trace.code[i].text;
      counters.shuffles += has_opcode(text, "shfl.");
      counters.votes += has_opcode(text, "vote.") || has_opcode(text, "activemask");
      counters.matches += has_opcode(text, "match.");
      counters.warp_reductions += has_opcode(text, "redux.");
      counters.warp_barriers += has_opcode(text, "bar.warp.sync");
    }
    counters.branches += step.branches.size();
    for (const auto& branch : step.branches)
      counters.divergent_branches += branch.taken != 0 && branch.taken != branch.active;
    for (const TraceAccess& access : step.accesses)
      add_access(access, trace.arrays[access.array].is_shared, counters);
  }
  return lines;
}

void check_costs(const report::TracedLaunch& traced) {
  const auto& report = traced.launch.report;
  const auto lines = costs_of(traced.trace);
  Counters sum;
  for (const auto& [place, counters] : lines) sum += counters;
  sum.block_barriers = traced.trace.barriers.size();
  const auto compare = [&](const Counters& drawn, const Counters& counted, const std::string& where) {
    for (const auto& [name, member, title] : simulator::counter_fields) {
      if (name.starts_with("local_")) continue;  // not drawn
      if (drawn.*member != counted.*member)
        complain(report.kernel, where + std::string(name) + ": the steps say " +
                                    std::to_string(drawn.*member) + ", the report " +
                                    std::to_string(counted.*member));
    }
  };
  compare(sum, report.counters, "");
  for (const auto& line : report.lines) {
    const auto found = lines.find({line.file, line.line});
    Counters drawn = found == lines.end() ? Counters{} : found->second;
    drawn.block_barriers = line.counters.block_barriers;  // a barrier stands for its launch, not for a line
    compare(drawn, line.counters, "line " + std::to_string(line.line) + ": ");
  }
}

/// Computes the values that were followed. Empty where an element is no number or an operation no reduction.
class Tree {
 public:
  explicit Tree(const Trace& trace) : trace_(trace) {
    for (const TraceStep& step : trace.steps)
      for (const TraceAccess& access : step.accesses)
        for (std::size_t i = 0; i < access.nodes.size(); ++i) add_element(access, i);
  }
  std::optional<double> value_of(std::uint32_t node) {
    const auto [at, is_new] = value_.try_emplace(node);
    if (is_new) {
      const std::optional<double> value = compute(node);
      value_[node] = value;
      return value;
    }
    return at->second;
  }

 private:
  /// The text of an element that a load has read, or an atomic found.
  void add_element(const TraceAccess& access, std::size_t i) {
    std::uint32_t node = access.nodes[i];
    if (node == 0) return;
    if (!access.after.empty() && !trace_.values[node - 1].from.empty())
      node = trace_.values[node - 1].from[0];
    if (trace_.values[node - 1].from.empty()) element_.try_emplace(node, access.values[i]);
  }
  std::optional<double> compute(std::uint32_t node) {
    const simulator::TraceValue& value = trace_.values[node - 1];
    if (value.from.empty()) {
      const std::string text = element_[node];
      char* end = nullptr;
      const double number = std::strtod(text.c_str(), &end);
      return text.empty() || *end != '\0' ? std::nullopt : std::optional(number);
    }
    std::vector<double> operands;
    for (const std::uint32_t from : value.from) {
      const std::optional<double> operand = value_of(from);
      if (!operand) return std::nullopt;
      operands.push_back(*operand);
    }
    if (value.name == "fma") return operands[0] * operands[1] + (operands.size() > 2 ? operands[2] : 0);
    std::optional<double> result = operands[0];
    for (std::size_t i = 1; i < operands.size() && result; ++i)
      result = combined(value.name, *result, operands[i]);
    return result;
  }
  static std::optional<double> combined(const std::string& name, double a, double b) {
    const auto is = [&](const char* what) { return name == what || name == std::string("atomic ") + what; };
    if (is("add")) return a + b;
    if (is("mul")) return a * b;
    if (is("max")) return std::max(a, b);
    if (is("min")) return std::min(a, b);
    return std::nullopt;
  }

  const Trace& trace_;
  std::map<std::uint32_t, std::string> element_;
  std::map<std::uint32_t, std::optional<double>> value_;
};

/// Floats are added up in doubles here; integers wrap round at 32 bits there.
bool agree(double stored, double expected) {
  const double difference = stored - expected;
  if (std::isnan(difference)) return stored == expected || (std::isnan(stored) && std::isnan(expected));
  return std::fabs(difference) <= 1e-5 * std::fabs(expected) || std::fmod(difference, 0x1p32) == 0;
}

/// Every value in global memory that was followed: stored, or left by the last lane of an atomic. There must
/// be one.
void check_results(const report::TracedLaunch& traced) {
  Tree tree(traced.trace);
  std::size_t results = 0;
  for (const TraceStep& step : traced.trace.steps)
    for (const TraceAccess& access : step.accesses) {
      if (traced.trace.arrays[access.array].is_shared || access.kind == "load") continue;
      const std::vector<std::string>& texts = access.after.empty() ? access.values : access.after;
      std::map<std::int64_t, std::size_t> last;  // of the lanes at one place
      for (std::size_t i = 0; i < access.nodes.size(); ++i)
        last[access.offsets[i / access.elements] + static_cast<std::int64_t>(i % access.elements)] = i;
      for (const auto& [place, i] : last) {
        if (access.nodes[i] == 0) continue;
        const std::optional<double> expected = tree.value_of(access.nodes[i]);
        const double stored = std::strtod(texts[i].c_str(), nullptr);
        if (!expected || !agree(stored, *expected))
          complain(traced.launch.report.kernel, "the tree of a result gives " +
                                                    (expected ? std::to_string(*expected) : "no number") +
                                                    ", stored was " + texts[i]);
        ++results;
      }
    }
  if (results == 0) complain(traced.launch.report.kernel, "no result was followed");
}

}  // namespace

int main(int count, char** words) {
  try {
    if (count < 2) throw report::ReportError("usage: trace_check FILE.json [KERNEL...]");
    const std::set<std::string> reductions(words + 2, words + count);
    std::set<std::string> seen;
    std::size_t compared = 0;
    for (const report::TracedLaunch& traced : report::read_trace_file(words[1]).launches) {
      const std::string& kernel = traced.launch.report.kernel;
      seen.insert(kernel);
      if (traced.trace.blocks_left_out == 0 && traced.trace.instructions_left_out == 0) {
        check_costs(traced);
        if (reductions.contains(kernel)) check_results(traced);
        ++compared;
      }
    }
    for (const std::string& kernel : reductions)
      if (!seen.contains(kernel)) complain(kernel, "is not in the trace");
    if (compared == 0) complain(words[1], "no launch was recorded in full");
    std::printf("%zu launches recorded in full, %d differences\n", compared, differences);
    return differences == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "trace_check: %s\n", error.what());
    return 2;
  }
}
