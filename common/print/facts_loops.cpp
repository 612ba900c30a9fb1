#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "facts.hpp"

namespace warpwise::print {

using simulator::Trace;
using simulator::TraceAccess;
using simulator::TraceShuffle;
using simulator::TraceStep;

namespace {

/// "tid+4", "tid-1"; with blanks "lane + 16"
std::string moved(const char* from, std::int64_t by, const char* blank = "") {
  return std::string(from) + blank + (by < 0 ? "-" : "+") + blank + std::to_string(std::abs(by));
}

/// The one number that all of them are; empty where they differ, or there are none.
std::optional<std::int64_t> common_of(const std::set<std::int64_t>& numbers) {
  if (numbers.size() != 1) return {};
  return *numbers.begin();
}

/// Elements between what the lanes read first and what they read then.
std::optional<std::int64_t> distance_between(const TraceAccess& first, const TraceAccess& second) {
  if (first.lanes != second.lanes || first.elements != 1 || second.elements != 1) return {};
  std::set<std::int64_t> distances;
  for (std::size_t i = 0; i < first.offsets.size(); ++i)
    distances.insert((second.offsets[i] - first.offsets[i]) / std::int64_t{first.element_bytes});
  return common_of(distances);
}

/// Elements between a thread's number and the one that it reads; of one lane alone it says nothing.
std::optional<std::int64_t> distance_from_thread(const Trace& trace, const TraceStep& step,
                                                 const TraceAccess& access) {
  if (access.elements != 1 || access.offsets.size() < 2) return {};
  std::set<std::int64_t> distances;
  for (const LaneWords& want : words_by_lane(trace, access))
    distances.insert(want.offset / std::int64_t{access.element_bytes} - (step.warp * warp_size + want.lane));
  return common_of(distances);
}

Reach reach_of_reads(const Trace& trace, const TraceStep& step) {
  std::map<std::uint32_t, std::vector<const TraceAccess*>> reads;  // by array
  for (const TraceAccess& access : step.accesses)
    if (access.kind == "load") reads[access.array].push_back(&access);
  std::set<std::int64_t> apart;
  std::vector<const TraceAccess*> of_shared;
  for (const auto& [array, accesses] : reads) {
    if (trace.arrays[array].is_shared) of_shared.insert(of_shared.end(), accesses.begin(), accesses.end());
    if (accesses.size() != 2) continue;
    const auto distance = distance_between(*accesses[0], *accesses[1]);
    if (distance && *distance != 0) apart.insert(std::abs(*distance));
  }
  if (const auto distance = common_of(apart)) return {Reach::From::pair, *distance};
  if (of_shared.size() != 1) return {};
  const auto distance = distance_from_thread(trace, step, *of_shared[0]);
  return distance && *distance != 0 ? Reach{Reach::From::thread, *distance} : Reach{};
}

/// How often each lane of a warp came by a line. A line may be several parts of the program (a condition, and
/// what stands after it), of which a lane passes some more often than others: the most frequent one counts.
struct Visits {
  std::map<std::uint32_t, std::array<std::uint32_t, warp_size>> of_part;  ///< by its first instruction
  std::uint32_t most = 0;

  /// Counts the step; which time it is for its lanes, or 0 where they differ.
  std::uint32_t count(const TraceStep& step) {
    std::set<std::int64_t> times;
    for (const std::uint32_t lane : lanes_of(step.lanes)) {
      ++of_part[step.first][lane];
      std::uint32_t time = 0;
      for (const auto& [part, visits] : of_part) time = std::max(time, visits[lane]);
      times.insert(time);
      most = std::max(most, time);
    }
    return static_cast<std::uint32_t>(common_of(times).value_or(0));
  }
};

}  // namespace

std::vector<Turn> turns_of(const Trace& trace) {
  using Place = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t>;
  std::map<Place, Visits> visits_of;
  const auto visits = [&](const TraceStep& step) -> Visits& {
    return visits_of[{step.block, step.warp, place_of(trace, step).source, place_of(trace, step).line}];
  };
  std::vector<Turn> turns;
  for (const TraceStep& step : trace.steps) turns.push_back({visits(step).count(step), 0});
  for (std::size_t i = 0; i < turns.size(); ++i) turns[i].times = visits(trace.steps[i]).most;
  return turns;
}

std::string text_of(const Turn& turn) { return turn.times < 2 || turn.time == 0 ? "" : ordinal(turn.time); }

Reach reach_of(const TraceShuffle& shuffle) {
  const std::vector<std::uint32_t> takers = lanes_of(shuffle.lanes);
  std::set<std::int64_t> distances, flips, givers;
  for (std::size_t i = 0; i < takers.size(); ++i) {
    flips.insert(shuffle.from[i] ^ takers[i]);
    givers.insert(shuffle.from[i]);
    if (shuffle.from[i] != takers[i]) distances.insert(std::int64_t{shuffle.from[i]} - takers[i]);
  }
  if (distances.empty()) return {};
  if (const auto giver = common_of(givers)) return {Reach::From::one, *giver};
  if (const auto flip = common_of(flips)) return {Reach::From::flip, *flip};
  const auto distance = common_of(distances);
  return distance ? Reach{Reach::From::lane, *distance} : Reach{};
}

Reach reach_of(const Trace& trace, const TraceStep& step) {
  if (step.shuffles.size() == 1) return reach_of(step.shuffles[0]);
  return step.shuffles.empty() ? reach_of_reads(trace, step) : Reach{};
}

std::string text_of(const Reach& reach) {
  const std::string number = std::to_string(reach.distance);
  switch (reach.from) {
    case Reach::From::nowhere:
      return {};
    case Reach::From::pair:
      return number + " apart";
    case Reach::From::thread:
      return moved("tid", reach.distance);
    case Reach::From::lane:
      return moved("lane", reach.distance);
    case Reach::From::flip:
      return "lane^" + number;
    case Reach::From::one:
      return "lane " + number;
  }
  return {};
}

std::string clause_of(const Reach& reach) {
  const std::string takes = "takes the value of ";
  switch (reach.from) {
    case Reach::From::nowhere:
      return {};
    case Reach::From::pair:
      return "reads two elements " + text_of(reach);
    case Reach::From::thread:
      return "reads shared memory at [" + moved("thread", reach.distance, " ") + "]";
    case Reach::From::lane:
      return takes + moved("lane", reach.distance, " ");
    case Reach::From::flip:
      return takes + "lane ^ " + std::to_string(reach.distance);
    case Reach::From::one:
      return takes + text_of(reach);
  }
  return {};
}

}  // namespace warpwise::print
