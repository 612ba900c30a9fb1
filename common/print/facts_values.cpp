#include <algorithm>
#include <set>

#include "facts.hpp"

namespace warpwise::print {

using simulator::Trace;
using simulator::TraceAccess;
using simulator::TraceStep;
using simulator::TraceValue;

namespace {

const TraceValue& value_at(const Trace& trace, std::uint32_t node) { return trace.values[node - 1]; }

/// Whether it was read from memory, and not made of others.
bool is_element(const Trace& trace, std::uint32_t node) { return value_at(trace, node).from.empty(); }

}  // namespace

std::vector<Result> results_of(const Trace& trace, std::uint64_t block) {
  // A word is known by its array and its byte there: an element may have several.
  using Word = std::pair<std::uint32_t, std::int64_t>;
  std::map<Word, std::size_t> index_of;
  std::vector<Result> results;
  std::vector<Word> words;    // of each result
  std::set<Word> read_again;  // since they were written
  for (const TraceStep& step : trace.steps) {
    for (const TraceAccess& access : step.accesses) {
      const simulator::TraceArray& array = trace.arrays[access.array];
      if (array.is_shared || (access.kind != "load" && step.block != block)) continue;
      const std::vector<std::string>& values = access.after.empty() ? access.values : access.after;
      for (const LaneWords& want : words_by_lane(trace, access))
        for (std::uint32_t e = 0; e < access.elements; ++e) {
          const std::uint32_t node = access.nodes[want.first_value + e];
          if (node == 0) continue;
          const std::int64_t byte = want.offset + e * access.element_bytes;
          const Word word{access.array, byte};
          if (access.kind == "load") {
            read_again.insert(word);
            continue;
          }
          read_again.erase(word);
          const auto [at, is_new] = index_of.try_emplace(word, results.size());
          if (is_new) {
            results.emplace_back();
            words.push_back(word);
          }
          results[at->second] = {array.name + '[' + std::to_string(byte / array.element_bytes) + ']', node,
                                 values[want.first_value + e]};
        }
    }
  }
  if (std::all_of(results.begin(), results.end(),
                  [&](const Result& result) { return is_element(trace, result.node); }))
    return {};
  std::vector<Result> last;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (!read_again.contains(words[i])) last.push_back(results[i]);
  return last.empty() ? results : last;
}

std::string no_results_sentence(std::uint64_t block) {
  return "Block " + std::to_string(block) +
         " stores nothing computed from elements in memory, or its values took paths that are not followed "
         "(predicates, calls, compare-and-swap).";
}

const Result& largest_result(const Trace& trace, const std::vector<Result>& results) {
  const auto size = [&](const Result& result) { return depths_under(trace, {result.node}).size(); };
  const Result* largest = results.data();
  std::size_t most = size(*largest);
  for (const Result& result : results)
    if (const std::size_t values = size(result); values > most) {
      largest = &result;
      most = values;
    }
  return *largest;
}

WrongWays wrong_ways_of(const Trace& trace, std::uint64_t block, std::uint32_t result) {
  const auto count = static_cast<std::uint32_t>(trace.values.size());
  std::vector<std::uint32_t> ways(count + 1);  // to the result, at most two; values are made of earlier ones
  ways[result] = 1;
  for (std::uint32_t node = result; node > 0; --node) {
    const std::vector<std::uint32_t>& from = value_at(trace, node).from;
    for (const std::uint32_t each : std::set(from.begin(), from.end()))  // a square is no double
      ways[each] = std::min(2u, ways[each] + ways[node]);
  }
  std::vector<std::uint32_t> roots;
  for (const Result& each : results_of(trace, block)) roots.push_back(each.node);
  const Depths used = depths_under(trace, roots);
  std::vector<bool> is_taken(count + 1);
  for (const TraceValue& value : trace.values)
    for (const std::uint32_t from : value.from) is_taken[from] = true;
  WrongWays found;
  std::map<std::uint32_t, std::set<std::uint32_t>>
      lost;  // elements that are in no result, by who has them last
  for (std::uint32_t node = 1; node <= count; ++node) {
    if (value_at(trace, node).block != block) continue;
    if (is_element(trace, node) && ways[node] > 1) found.twice.push_back(node);
    if (used.contains(node) || is_taken[node]) continue;
    for (const auto& [under, depth] : depths_under(trace, {node}))
      if (depth == 0 && !used.contains(under)) lost[node].insert(under);
  }
  while (!lost.empty()) {  // shuffles leave every lane a value: the fewest that hold all that is lost
    const auto most = std::max_element(lost.begin(), lost.end(), [](const auto& a, const auto& b) {
      return a.second.size() < b.second.size();
    });
    if (most->second.empty()) break;
    found.nobody.push_back(most->first);
    const std::set<std::uint32_t> elements = std::move(most->second);
    lost.erase(most);
    for (auto& [node, rest] : lost)
      for (const std::uint32_t element : elements) rest.erase(element);
  }
  std::sort(found.nobody.begin(), found.nobody.end());
  return found;
}

std::vector<std::string> sentences_of(const Trace& trace, const WrongWays& ways) {
  constexpr std::size_t most = 3;
  std::vector<std::string> sentences;
  const auto say = [&](const std::vector<std::uint32_t>& nodes, auto name_of, const std::string& one,
                       const std::string& many) {
    std::string names;
    for (std::size_t i = 0; i < std::min(most, nodes.size()); ++i)
      names += (i == 0 ? "" : ", ") + name_of(value_at(trace, nodes[i]));
    if (nodes.size() > most) names += " and " + std::to_string(nodes.size() - most) + " more";
    if (!nodes.empty()) sentences.push_back(names + (nodes.size() == 1 ? one : many));
  };
  say(
      ways.twice, [](const TraceValue& value) { return value.name; }, " counts twice.", " count twice.");
  std::vector<std::uint32_t> elements, sums;
  for (const std::uint32_t node : ways.nobody) (is_element(trace, node) ? elements : sums).push_back(node);
  say(
      sums, [](const TraceValue& value) { return "thread " + std::to_string(value.thread); },
      " has a value that goes into no result.", " have values that go into no result.");
  say(
      elements, [](const TraceValue& value) { return value.name; }, " is read, and goes into no result.",
      " are read, and go into no result.");
  return sentences;
}

std::vector<std::string> texts_of_values(const Trace& trace) {
  std::vector<std::string> texts(trace.values.size());
  const auto note = [&](const std::vector<std::uint32_t>& nodes, const std::vector<std::string>& values) {
    for (std::size_t i = 0; i < std::min(nodes.size(), values.size()); ++i)
      if (nodes[i] != 0) texts[nodes[i] - 1] = values[i];
  };
  for (const TraceStep& step : trace.steps) {
    for (const TraceAccess& access : step.accesses)
      note(access.nodes, access.after.empty() ? access.values : access.after);
    for (const simulator::TraceShuffle& shuffle : step.shuffles) note(shuffle.nodes, shuffle.values);
  }
  return texts;
}

Depths depths_under(const Trace& trace, const std::vector<std::uint32_t>& roots) {
  Depths depth;
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

namespace {

/// The threads whose values the root's own thread takes in, from its first operation to its last.
std::vector<std::uint32_t> threads_taken_in(const Trace& trace, std::uint32_t root) {
  std::vector<std::uint32_t> threads;
  const TraceValue& result = trace.values[root - 1];
  for (const TraceValue* value = &result; !value->from.empty();) {
    const auto is_own = [&](std::uint32_t node) {
      const TraceValue& operand = trace.values[node - 1];
      return operand.thread == value->thread && operand.block == value->block;
    };
    // Its own sum so far, rather than the element that an atomic finds.
    const auto is_sum = [&](std::uint32_t node) {
      return is_own(node) && !trace.values[node - 1].from.empty();
    };
    auto next = std::find_if(value->from.begin(), value->from.end(), is_sum);
    if (next == value->from.end()) next = std::find_if(value->from.begin(), value->from.end(), is_own);
    if (next == value->from.end()) next = value->from.begin();
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

/// From its own thread's number to that of the one other thread whose value it takes in.
Reach way_to(const Trace& trace, const TraceValue& made) {
  std::set<std::int64_t> distances;
  for (const std::uint32_t from : made.from) {
    const TraceValue& taken = value_at(trace, from);
    if (taken.block == made.block && taken.thread != made.thread)
      distances.insert(std::int64_t{taken.thread} - made.thread);
  }
  return distances.size() == 1 ? Reach{Reach::From::thread, *distances.begin()} : Reach{};
}

/// "line 21, 3rd"
std::string line_of(const Trace& trace, const TraceValue& made, const std::vector<Turn>& turns) {
  const std::uint32_t line = place_of(trace, trace.steps[made.step]).line;
  const std::string where = line == 0 ? "" : "line " + std::to_string(line), turn = text_of(turns[made.step]);
  return where + (where.empty() || turn.empty() ? "" : ", ") + turn;
}

}  // namespace

std::vector<TreeLevel> levels_of(const Trace& trace, std::uint64_t block, const Depths& depths,
                                 const std::vector<Turn>& turns) {
  struct Made {
    std::string name;
    std::set<std::uint32_t> threads;
    std::set<std::string> lines;
    std::set<Reach> reaches;
  };
  std::vector<Made> made;
  for (const auto& [node, depth] : depths) {
    const TraceValue& value = value_at(trace, node);
    if (depth >= made.size()) made.resize(depth + 1);
    Made& level = made[depth];
    if (level.name.empty()) level.name = value.name.substr(0, value.name.find(' '));
    if (value.block != block) continue;
    level.threads.insert(value.thread);
    level.lines.insert(line_of(trace, value, turns));
    const Reach way = way_to(trace, value);
    level.reaches.insert(way.from == Reach::From::nowhere ? reach_of(trace, trace.steps[value.step]) : way);
  }
  std::vector<TreeLevel> levels;
  for (const Made& level : made)
    levels.push_back({levels.empty() ? "elements" : std::to_string(level.threads.size()) + ' ' + level.name,
                      level.lines.size() == 1 ? *level.lines.begin() : "",
                      level.reaches.size() == 1 ? *level.reaches.begin() : Reach{}});
  return levels;
}

std::string size_sentence(const Trace& trace, const Depths& depths) {
  std::size_t operations = 0;
  std::uint32_t deepest = 0;
  for (const auto& [node, depth] : depths) {
    operations += is_element(trace, node) ? 0 : 1;
    deepest = std::max(deepest, depth);
  }
  return plural(depths.size() - operations, "value") + " read, " + plural(operations, "operation") +
         ", depth " + std::to_string(deepest) + '.';
}

std::string taken_in_sentence(const Trace& trace, const Result& result) {
  const std::vector<std::uint32_t> threads = threads_taken_in(trace, result.node);
  if (threads.empty() || threads.size() > 12) return {};
  std::string text = "Thread " + std::to_string(value_at(trace, result.node).thread) +
                     " combines the values of thread" + (threads.size() == 1 ? " " : "s ");
  for (std::size_t i = 0; i < threads.size(); ++i)
    text += (i == 0 ? "" : i + 1 == threads.size() ? " and finally " : ", ") + std::to_string(threads[i]);
  return text + '.';
}

}  // namespace warpwise::print
