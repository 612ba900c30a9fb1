// Where a finding can be seen: of a race the two accesses and the last order that their threads share; of a
// barrier who waits and who never comes; of a mask who was named and who was there; of any other the lanes
// that were there.

#include <algorithm>
#include <cstdlib>

#include "facts.hpp"

namespace warpwise::print {

using simulator::Finding;
using simulator::FindingKind;
using simulator::Trace;
using simulator::TraceAccess;
using simulator::TraceStep;

namespace {

bool has_lane(std::uint32_t lanes, std::uint32_t lane) { return (lanes >> lane & 1) != 0; }

bool is_of_thread(const TraceStep& step, std::uint32_t thread) {
  return step.warp == thread / warp_size && has_lane(step.lanes, thread % warp_size);
}

// --- A race -----------------------------------------------------------------------------------------------

/// One thread's access to memory.
struct ThreadAccess {
  std::size_t step = 0;
  std::uint32_t thread = 0;
  const TraceAccess* access = nullptr;
  LaneWords want;
};

std::vector<ThreadAccess> accesses_of(const Trace& trace, std::uint64_t block, std::uint32_t thread,
                                      std::uint32_t line) {
  std::vector<ThreadAccess> accesses;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const TraceStep& step = trace.steps[i];
    if (step.block != block || step.warp != thread / warp_size || place_of(trace, step).line != line)
      continue;
    for (const TraceAccess& access : step.accesses)
      for (const LaneWords& want : words_by_lane(trace, access))
        if (want.lane == thread % warp_size) accesses.push_back({i, thread, &access, want});
  }
  return accesses;
}

bool meet(const ThreadAccess& a, const ThreadAccess& b) {
  return a.access->array == b.access->array && a.want.word < b.want.word + b.want.words &&
         b.want.word < a.want.word + a.want.words && (a.access->kind != "load" || b.access->kind != "load");
}

/// Two accesses to one word by the two threads of a race, between the same barriers where there are such; in
/// the order of the run.
std::optional<std::pair<ThreadAccess, ThreadAccess>> accesses_of_race(const Trace& trace,
                                                                      const Finding& finding) {
  if (finding.kind != FindingKind::race || finding.threads.size() < 2) return {};
  const std::uint32_t other_line = finding.other_line == 0 ? finding.line : finding.other_line;
  const auto ours = accesses_of(trace, finding.block, finding.threads[0], finding.line);
  const auto theirs = accesses_of(trace, finding.block, finding.threads[1], other_line);
  std::optional<std::pair<ThreadAccess, ThreadAccess>> best;
  std::uint32_t least = 0;
  for (const ThreadAccess& a : ours)
    for (const ThreadAccess& b : theirs) {
      if (!meet(a, b)) continue;
      const std::uint32_t one = trace.steps[a.step].interval, other = trace.steps[b.step].interval;
      const std::uint32_t apart = std::max(one, other) - std::min(one, other);
      if (best && apart >= least) continue;
      least = apart;
      best = a.step <= b.step ? std::pair(a, b) : std::pair(b, a);
    }
  return best;
}

RaceSide side_of(const Trace& trace, const ThreadAccess& made) {
  const TraceAccess& access = *made.access;
  const std::string values = values_of(access, made.want, access.values);
  const std::string kind = access.kind == "load" ? "reads " : access.kind == "store" ? "writes " : "changes ";
  std::string before;
  if (access.kind == "store" && trace.arrays[access.array].is_shared) {
    const auto words = shared_words_before(trace, made.step);
    if (const auto word = words.find(made.want.word); word != words.end())
      before = ", before it " + word->second;
  }
  return {made.step, made.thread, kind + element_of(trace, access, made.want),
          "line " + std::to_string(place_of(trace, trace.steps[made.step]).line) +
              (values.empty() ? "" : ", value " + values) + before};
}

/// The last barrier that both threads of a race have passed before the first of its two accesses.
std::string last_order_of(const Trace& trace, const ThreadAccess& first, const ThreadAccess& second) {
  const TraceStep& step = trace.steps[first.step];
  const simulator::TraceBarrier* opening = nullptr;
  for (const simulator::TraceBarrier& each : trace.barriers) {
    bool has_both = each.block == step.block && each.after <= first.step;
    for (const std::uint32_t thread : {first.thread, second.thread})
      has_both = has_both && has_lane(each.lanes[thread / warp_size], thread % warp_size);
    if (has_both) opening = &each;
  }
  const std::uint32_t both = 1u << first.thread % warp_size | 1u << second.thread % warp_size;
  const std::size_t begin = opening == nullptr ? 0 : opening->after;
  for (std::size_t i = first.step; step.warp == second.thread / warp_size && i-- > begin;) {
    const TraceStep& earlier = trace.steps[i];
    if (earlier.block != step.block || earlier.warp != step.warp || (earlier.met & both) != both) continue;
    const auto is_barrier = [](const auto& code) {
      return code.text.find("bar.warp.sync") != code.text.npos;
    };
    const auto code = trace.code.begin();
    if (std::none_of(code + earlier.first, code + earlier.last + 1, is_barrier)) continue;
    const std::string line = std::to_string(place_of(trace, earlier).line);
    const std::string turn = text_of(turns_of(trace)[i]);
    return "the __syncwarp() in line " + line + (turn.empty() ? "" : ", " + turn);
  }
  if (opening == nullptr) return "the start of the block";
  return opening->number == 0 ? "barrier " + std::to_string(step.interval)
                              : "named barrier " + std::to_string(opening->number);
}

// --- A barrier --------------------------------------------------------------------------------------------

/// Threads at the block barrier at which a step has arrived.
struct AtBarrier {
  const simulator::TraceBarrier* opening = nullptr;  ///< null: it never opened
  std::vector<std::uint32_t> waiting;                ///< at the line of the step
  std::vector<std::uint32_t> elsewhere;              ///< let through together with these, from another line
  std::vector<std::uint32_t> absent;                 ///< when it opened
};

AtBarrier threads_at_barrier(const report::TracedLaunch& traced, std::size_t index) {
  const Trace& trace = traced.trace;
  const TraceStep& at = trace.steps[index];
  AtBarrier threads;
  threads.opening = simulator::opening_behind(trace, index);
  std::set<std::uint32_t> waiting;
  for (const TraceStep& step : trace.steps)
    if (step.block == at.block && step.is_arrival && step.interval == at.interval &&
        place_of(trace, step).line == place_of(trace, at).line)
      for (const std::uint32_t lane : lanes_of(step.lanes)) waiting.insert(warp_size * step.warp + lane);
  threads.waiting.assign(waiting.begin(), waiting.end());
  if (threads.opening == nullptr) return threads;
  for (std::uint32_t thread = 0; thread < extent(traced.launch.report.block); ++thread) {
    const std::size_t warp = thread / warp_size;
    const bool is_let_through =
        warp < threads.opening->lanes.size() && has_lane(threads.opening->lanes[warp], thread % warp_size);
    if (!is_let_through)
      threads.absent.push_back(thread);
    else if (!waiting.contains(thread))
      threads.elsewhere.push_back(thread);
  }
  return threads;
}

std::uint32_t lanes_in(const std::vector<std::uint32_t>& threads, std::uint32_t warp) {
  std::uint32_t lanes = 0;
  for (const std::uint32_t thread : threads)
    if (thread / warp_size == warp) lanes |= 1u << thread % warp_size;
  return lanes;
}

/// "threads 0, 2, 4 … 30 wait"
void add_clause(std::string& text, const std::vector<std::uint32_t>& threads, const char* one,
                const char* many) {
  if (threads.empty()) return;
  text += text.empty() ? "" : "; ";
  text += (threads.size() == 1 ? "thread " : "threads ") + listed(threads) + ' ' +
          (threads.size() == 1 ? one : many);
}

std::string heading_of(std::uint64_t block, std::uint32_t warp) {
  return "Block " + std::to_string(block) + ", warp " + std::to_string(warp);
}

void show_barrier(Evidence& evidence, const report::TracedLaunch& traced, const Finding& finding) {
  const TraceStep& step = traced.trace.steps[*evidence.step];
  const AtBarrier threads = threads_at_barrier(traced, *evidence.step);
  const std::uint32_t other = finding.threads.empty() ? step.warp : finding.threads.front() / warp_size;
  for (const std::uint32_t warp : std::set<std::uint32_t>{step.warp, other})
    evidence.rows.push_back({warp, heading_of(step.block, warp), "waits", lanes_in(threads.waiting, warp),
                             "never", lanes_in(threads.absent, warp)});
  std::string who;
  add_clause(who, threads.waiting, "waits", "wait");
  add_clause(who, threads.elsewhere, "waits at another", "wait at another");
  add_clause(who, threads.absent, "never comes (✕)", "never come (✕)");
  const std::string block = "block " + std::to_string(step.block);
  evidence.sentence =
      "Step " + std::to_string(*evidence.step + 1) + ", at " +
      (threads.opening == nullptr ? "this barrier of " + block + ", which never opens"
                                  : "barrier " + std::to_string(step.interval + 1) + " of " + block) +
      ": " + who + '.';
}

// --- Any other --------------------------------------------------------------------------------------------

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

void show_lanes(Evidence& evidence, const Trace& trace, const Finding& finding) {
  const TraceStep& step = trace.steps[*evidence.step];
  const std::uint32_t mask = finding.kind == FindingKind::sync ? named_mask(trace, step) : 0;
  const std::string heading = heading_of(step.block, step.warp);
  if (mask != 0) evidence.rows.push_back({step.warp, heading, "named", mask, "", 0});
  std::uint32_t culprits = 0;  // of a mask those that it names and that are not here, or the other way round
  for (const std::uint32_t thread : finding.threads)
    if (mask == 0 && is_of_thread(step, thread)) culprits |= 1u << thread % warp_size;
  evidence.rows.push_back({step.warp, mask == 0 ? heading : "", "here", step.lanes,
                           mask == 0 ? "at fault" : "differ", mask == 0 ? culprits : mask ^ step.lanes});
  const std::vector<std::uint32_t> lanes = lanes_of(step.lanes);
  evidence.sentence = std::string("Here ") + (lanes.size() == 1 ? "is lane " : "are lanes ") + listed(lanes) +
                      " of warp " + std::to_string(step.warp) + " of block " + std::to_string(step.block) +
                      '.';
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
        return is_there(step) && (finding.threads.empty() || is_of_thread(step, finding.threads.front()));
      }))
    return found;
  if (finding.kind != FindingKind::race || !(is_whole(trace) || finding.threads.empty())) return {};
  return first([](const TraceStep&) { return true; });
}

}  // namespace

Evidence evidence_of(const report::TracedLaunch& traced, const Finding& finding) {
  const Trace& trace = traced.trace;
  Evidence evidence;
  if (const auto sides = accesses_of_race(trace, finding)) {
    evidence.step = sides->second.step;
    evidence.sides = {side_of(trace, sides->first), side_of(trace, sides->second)};
    evidence.last_order = last_order_of(trace, sides->first, sides->second);
    const auto values = [](const ThreadAccess& side) {
      return values_of(*side.access, side.want, side.access->values);
    };
    if (const std::string one = values(sides->first); !one.empty() && one == values(sides->second))
      evidence.sentence = "Both have the value " + one + " in this launch; with other elements they differ.";
    return evidence;
  }
  evidence.step = step_of(trace, finding);
  if (!evidence.step)
    evidence.sentence = is_whole(trace)
                            ? "No single step shows it."
                            : "It lies beyond what was recorded: in a later block or a later step.";
  else if (finding.kind == FindingKind::barrier && trace.steps[*evidence.step].is_arrival)
    show_barrier(evidence, traced, finding);
  else
    show_lanes(evidence, trace, finding);
  return evidence;
}

}  // namespace warpwise::print
