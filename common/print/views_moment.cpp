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

std::string address_of(const report::TracedLaunch& traced, const Moment& moment) {
  const Trace& trace = traced.trace;
  const std::vector<std::size_t> steps = steps_of(
      trace, moment, [](const TraceStep&) { return true; }, "a lane at work");
  const auto conflicts = [&](std::size_t i) {
    std::uint32_t sum = 0;
    for (const simulator::TraceAccess& access : trace.steps[i].accesses) sum += access.bank_conflicts;
    return sum;
  };
  const std::size_t dearest = *std::max_element(steps.begin(), steps.end(),
                                                [&](auto a, auto b) { return conflicts(a) < conflicts(b); });
  const simulator::TraceInstruction& place = place_of(trace, trace.steps[dearest]);
  const std::string cursor = "step=" + std::to_string(dearest) + "&line=" + std::to_string(place.source) +
                             ":" + std::to_string(place.line) + "&view=";
  const auto& findings = traced.launch.report.findings;
  for (std::size_t i = 0; i < findings.size(); ++i)
    if (findings[i].line == place.line && findings[i].file == trace.sources[place.source].file)
      return cursor + "findings&finding=" + std::to_string(i);
  return cursor + (conflicts(dearest) != 0 ? "data" : "when");
}

std::string usual_address(const report::TracedLaunch& traced) {
  const std::vector<simulator::Finding>& findings = traced.launch.report.findings;
  if (!findings.empty())
    return "step=" + std::to_string(evidence_of(traced, findings[0]).step.value_or(0)) + "&view=findings";
  const std::vector<TraceStep>& steps = traced.trace.steps;
  auto step = std::find_if(steps.begin(), steps.end(), has_bank_conflict);
  if (step == steps.end()) step = std::find_if(steps.begin(), steps.end(), has_divergence);
  return "step=" + std::to_string(step == steps.end() ? 0 : step - steps.begin()) + "&view=when";
}

}  // namespace warpwise::print
