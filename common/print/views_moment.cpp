#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "views.hpp"

namespace warpwise::print {

using simulator::Trace;
using simulator::TraceStep;

namespace {

struct Place {
  std::string file;  ///< empty: any
  std::uint32_t line = 0;
};

bool is_number(const std::string& text) {
  return !text.empty() && text.size() <= 9 && text.find_first_not_of("0123456789") == text.npos;
}

/// The lines that `text` names by their numbers; empty where it names none so.
std::vector<Place> numbered_places(const std::string& text) {
  std::vector<Place> places;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const std::size_t colon = word.rfind(':');
    const std::string line = colon == word.npos ? word : word.substr(colon + 1);
    if (!is_number(line)) return {};
    places.push_back(
        {colon == word.npos ? "" : word.substr(0, colon), static_cast<std::uint32_t>(std::stoul(line))});
  }
  return places;
}

/// The lines of the kernel's files that contain `text`.
std::vector<Place> places_with(const Trace& trace, const std::string& text) {
  std::vector<Place> places;
  for (const simulator::TraceSource& source : trace.sources)
    for (std::uint32_t i = 0; i < source.lines.size(); ++i)
      if (source.lines[i].find(text) != std::string::npos) places.push_back({source.file, i + 1});
  if (places.empty())
    throw NothingToDraw(
        "--at takes a line, such as 21, solution.cu:21 or 21,22, or words from it; no line of the kernel's "
        "files has "
        "'" +
        text + "'.");
  return places;
}

std::vector<Place> places_of(const Trace& trace, const std::string& text) {
  if (text.empty()) return {};
  const std::vector<Place> places = numbered_places(text);
  return places.empty() ? places_with(trace, text) : places;
}

/// "solution.cu" and "ch03/solution.cu" both mean "…/ch03/solution.cu".
bool is_file(const std::string& file, const std::string& named) {
  return named.empty() || file == named || file.ends_with("/" + named) || named.ends_with("/" + file);
}

bool is_at(const Trace& trace, const TraceStep& step, const std::vector<Place>& places) {
  return places.empty() || std::any_of(places.begin(), places.end(), [&](const Place& place) {
           return place_of(trace, step).line == place.line && is_file(file_of(trace, step), place.file);
         });
}

template <class Number>
bool is_among(const std::vector<Number>& numbers, std::size_t number) {
  return numbers.empty() || std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

std::string lines_with(const Trace& trace, const Fits& fits) {
  std::set<std::uint32_t> lines;
  for (const TraceStep& step : trace.steps)
    if (fits(step)) lines.insert(place_of(trace, step).line);
  lines.erase(0);
  std::string list;
  for (const std::uint32_t line : lines) list += (list.empty() ? "" : ", ") + std::to_string(line);
  return list.empty() ? "none" : list;
}

std::string where(const Moment& moment) {
  std::string text;
  if (!moment.place.empty()) text += " at line " + moment.place;
  if (!moment.steps.empty()) text += " with that number";
  if (!moment.times.empty()) text += " with that --time";
  if (moment.warp) text += " of warp " + std::to_string(*moment.warp);
  if (moment.block) text += " of block " + std::to_string(*moment.block);
  return text;
}

}  // namespace

std::vector<std::size_t> steps_of(const Trace& trace, const Moment& moment, const Fits& fits,
                                  const std::string& what) {
  const std::vector<Place> places = places_of(trace, moment.place);
  std::optional<std::uint64_t> block = moment.block;
  std::vector<std::size_t> found;
  std::map<std::uint32_t, std::size_t> times;  // that each warp came by
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const TraceStep& step = trace.steps[i];
    if (block && step.block != *block) continue;
    if (moment.warp && step.warp != *moment.warp) continue;
    if (!is_among(moment.steps, i + 1) || !is_at(trace, step, places) || !fits(step)) continue;
    block = step.block;
    if (is_among(moment.times, ++times[step.warp])) found.push_back(i);
  }
  if (found.empty())
    throw NothingToDraw("No recorded step" + where(moment) + " has " + what +
                        "; lines that do: " + lines_with(trace, fits) + ".");
  return found;
}

std::vector<std::size_t> steps_of_warp(const Trace& trace, const Moment& moment, const Fits& fits,
                                       const std::string& what) {
  std::vector<std::size_t> found = steps_of(trace, moment, fits, what);
  const std::uint32_t warp = trace.steps[found.front()].warp;
  std::erase_if(found, [&](std::size_t i) { return trace.steps[i].warp != warp; });
  return found;
}

namespace {

std::uint32_t conflicts_of(const TraceStep& step) {
  std::uint32_t sum = 0;
  for (const simulator::TraceAccess& access : step.accesses) sum += access.bank_conflicts;
  return sum;
}

/// At how many of the places a finding is: at one, or with both of its sides at two.
std::size_t places_of_finding(const simulator::Finding& finding, const std::vector<Place>& places) {
  return static_cast<std::size_t>(std::count_if(places.begin(), places.end(), [&](const Place& place) {
    return (finding.line == place.line && is_file(finding.file, place.file)) ||
           (finding.other_line == place.line && is_file(finding.other_file, place.file));
  }));
}

/// The finding that is at most of the places; nothing where none is at any.
std::optional<std::size_t> finding_at(const report::TracedLaunch& traced, const std::vector<Place>& places) {
  const auto& findings = traced.launch.report.findings;
  const auto best = std::max_element(findings.begin(), findings.end(), [&](const auto& a, const auto& b) {
    return places_of_finding(a, places) < places_of_finding(b, places);
  });
  if (best == findings.end() || places_of_finding(*best, places) == 0) return {};
  return static_cast<std::size_t>(best - findings.begin());
}

std::string at_finding(const report::TracedLaunch& traced, std::size_t number,
                       std::optional<std::size_t> step) {
  const simulator::Finding& finding = traced.launch.report.findings[number];
  if (!step) step = evidence_of(traced, finding).step;
  const std::string address = "step=" + std::to_string(step.value_or(0)) + "&view=findings";
  return number == 0 ? address : address + "&finding=" + std::to_string(number);
}

}  // namespace

namespace {

/// How well a launch shows the moment: by its findings, else by the steps that come by there; 0: not at all.
std::size_t fit_of(const report::TracedLaunch& traced, const Moment& moment) {
  if (moment.is_open()) return traced.launch.report.findings.empty() ? 0 : 1;
  try {
    const std::vector<Place> places = places_of(traced.trace, moment.place);
    if (const auto finding = finding_at(traced, places))
      return 1 + places_of_finding(traced.launch.report.findings[*finding], places);
    steps_of(
        traced.trace, moment, [](const TraceStep&) { return true; }, "");
    return 1;
  } catch (const NothingToDraw&) {
    return 0;
  }
}

}  // namespace

std::size_t launch_with(const report::TraceFile& traces, const Moment& moment) {
  const auto best =
      std::max_element(traces.launches.begin(), traces.launches.end(),
                       [&](const auto& a, const auto& b) { return fit_of(a, moment) < fit_of(b, moment); });
  return static_cast<std::size_t>(best - traces.launches.begin());
}

std::string address_of(const report::TracedLaunch& traced, const Moment& moment) {
  const Trace& trace = traced.trace;
  const auto finding = finding_at(traced, places_of(trace, moment.place));
  const bool is_step_open = moment.times.empty() && moment.steps.empty();
  if (finding && is_step_open) return at_finding(traced, *finding, {});
  const std::vector<std::size_t> steps = steps_of(
      trace, moment, [](const TraceStep&) { return true; }, "a lane at work");
  const auto cost = [&](std::size_t i) { return conflicts_of(trace.steps[i]); };
  const std::size_t dearest =
      *std::max_element(steps.begin(), steps.end(), [&](auto a, auto b) { return cost(a) < cost(b); });
  if (finding) return at_finding(traced, *finding, dearest);
  const simulator::TraceInstruction& place = place_of(trace, trace.steps[dearest]);
  return "step=" + std::to_string(dearest) + "&line=" + std::to_string(place.source) + ":" +
         std::to_string(place.line) + "&view=" + (cost(dearest) != 0 ? "data" : "when");
}

namespace {

std::string at_tree(const Trace& trace, const Result& result) {
  return "step=" + std::to_string(trace.values[result.node - 1].step) + "&view=tree&root=" + result.place;
}

/// The largest tree of the first block; empty where it has none.
std::string at_largest_tree(const Trace& trace) {
  const std::vector<Result> results = results_of(trace, trace.steps.empty() ? 0 : trace.steps.front().block);
  return results.empty() ? "" : at_tree(trace, largest_result(trace, results));
}

/// The tree of that element; empty where no recorded block has it.
std::string at_element(const Trace& trace, const std::string& element) {
  std::set<std::uint64_t> blocks;
  for (const TraceStep& step : trace.steps) blocks.insert(step.block);
  for (const std::uint64_t block : blocks)
    for (const Result& result : results_of(trace, block))
      if (result.place == element) return at_tree(trace, result);
  return {};
}

/// How many sectors an access asks for beyond those that its bytes fill.
std::uint32_t spare_sectors(const TraceStep& step) {
  std::uint32_t most = 0;
  for (const simulator::TraceAccess& access : step.accesses) {
    const auto lanes = static_cast<std::uint32_t>(access.offsets.size());
    const std::uint32_t filled = (lanes * access.elements * access.element_bytes + 31) / 32;
    most = std::max(most, access.sectors - std::min(access.sectors, filled));
  }
  return most;
}

/// The first of the steps that cost most; empty where that is less than `least`.
template <class Cost>
std::optional<std::size_t> dearest_step(const Trace& trace, std::uint32_t least, Cost cost) {
  const auto step = std::max_element(trace.steps.begin(), trace.steps.end(),
                                     [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
  if (step == trace.steps.end() || cost(*step) < least) return {};
  return static_cast<std::size_t>(step - trace.steps.begin());
}

/// At the step that costs most: words of one bank, sectors that are hardly used, lanes that part. A run
/// without them opens at what it computes.
std::string at_what_it_costs(const Trace& trace) {
  const auto at = [](std::size_t step, const char* view) {
    return "step=" + std::to_string(step) + "&view=" + view;
  };
  if (const auto step = dearest_step(trace, 1, conflicts_of)) return at(*step, "data");
  constexpr std::uint32_t many_sectors = 8;
  if (const auto step = dearest_step(trace, many_sectors, spare_sectors)) return at(*step, "data");
  const auto shuffles = [](const TraceStep& step) {
    return static_cast<std::uint32_t>(step.shuffles.size());
  };
  const std::optional<std::size_t> shuffle = dearest_step(trace, 1, shuffles);
  if (const auto step =
          dearest_step(trace, 1, [](const auto& each) { return has_divergence(each) ? 1u : 0u; });
      step && !shuffle)
    return at(*step, "when");
  if (const std::string tree = at_largest_tree(trace); !tree.empty()) return tree;
  if (shuffle) return at(*shuffle, "data");
  const auto memory = [](const TraceStep& step) { return static_cast<std::uint32_t>(step.accesses.size()); };
  return at(dearest_step(trace, 1, memory).value_or(0), "when");
}

}  // namespace

std::string usual_address(const report::TracedLaunch& traced) {
  if (!traced.launch.report.findings.empty()) return at_finding(traced, 0, {});
  for (const report::Failure& failure : traced.rejected) {
    if (const std::string address = at_element(traced.trace, failure.element); !address.empty())
      return address;
    bool costs_too_much = false;
    for (const report::LineShare& line : failure.lines) {
      if (line.share == report::writes_results) continue;
      costs_too_much = true;
      Moment spent;
      spent.place = line.file + ':' + std::to_string(line.line);
      try {
        return address_of(traced, spent);
      } catch (const NothingToDraw&) {  // it lies beyond what was recorded
      }
    }
    const std::string tree = at_largest_tree(traced.trace);
    if ((!failure.element.empty() || !costs_too_much) && !tree.empty()) return tree;
  }
  return at_what_it_costs(traced.trace);
}

}  // namespace warpwise::print
