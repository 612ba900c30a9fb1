#include "observation.hpp"

#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "../program.hpp"
#include "barrier_bypass.hpp"
#include "counting.hpp"
#include "faults.hpp"
#include "memory_checks.hpp"
#include "read_only_path.hpp"

namespace warpwise::simulator::observe {

/// The observers of one host thread, as far as they are wanted.
struct LaunchObservation::Thread {
  FindingLog log;
  std::optional<Counting> counting;
  std::optional<BarrierBypass> bypass;
  std::optional<MemoryChecks> memory;
  std::optional<Faults> faults;
};

struct LaunchObservation::State {
  State(Watch how_closely, std::uint64_t memory_for_races, std::function<void(const Finding&)> told)
      : watch(how_closely), race_memory(memory_for_races), on_finding(std::move(told)) {}

  const Watch watch;
  const std::uint64_t race_memory;
  const std::function<void(const Finding&)> on_finding;
  std::mutex telling;  ///< one thread at a time calls it
  LaunchContext launch;
  std::uint32_t slots = 0;
  std::optional<Naming> naming;
  std::optional<BarrierMap> barriers;
  std::optional<MemoryHistory> history;
  bool watches_read_only_path = false;
  std::vector<std::unique_ptr<Thread>> threads;
  std::deque<ReadOnlyPath> read_only_paths;  ///< one a host thread, where there are such loads
  FindingLog log_at_end;
  LaunchReport report;
};

namespace {

/// Nobody recorded what the launch wrote: from now on all counts as written, what a device-side malloc() gave
/// as well. An allocation without bytes is not found, and needs nothing.
void forget_what_is_written(GlobalMemory& memory) {
  for (const Allocation* allocation : memory.all()) {
    if (allocation->written.empty()) continue;
    if (Allocation* found = memory.find(allocation->base)) found->written.clear();
  }
}

/// The sums of what was counted at each instruction: of the launch and of each source line.
void add_counters(const LaunchContext& launch, const std::vector<Counters>& by_pc, LaunchReport& report) {
  const Program& program = *launch.program;
  std::map<std::int32_t, Counters> by_location;  // instructions of one source line share a few of them
  for (Pc pc = launch.reach.begin; pc < launch.reach.end; ++pc) {
    const Counters& counters = by_pc[launch.reach.index_of(pc)];
    if (counters.warp_instructions == 0) continue;
    report.counters += counters;
    by_location[program.text_of(pc).location] += counters;
  }
  std::map<SourcePlace, Counters> by_line;
  SourcePlaces places(program);
  for (const auto& [location, counters] : by_location) {
    const SourcePlace place = places.of_location(location);
    if (place.line != 0) by_line[place] += counters;
  }
  for (const auto& [place, counters] : by_line) report.lines.push_back({place.file, place.line, counters});
}

}  // namespace

LaunchObservation::LaunchObservation(Watch watch, std::uint64_t race_memory,
                                     std::function<void(const Finding&)> on_finding)
    : state_(std::make_unique<State>(watch, race_memory, std::move(on_finding))) {}
LaunchObservation::~LaunchObservation() = default;

void LaunchObservation::begin(const LaunchContext& launch, std::uint32_t slots) {
  State& state = *state_;
  state.launch = launch;
  state.slots = slots;
  state.naming.emplace(state.launch);
  if (state.watch != Watch::everything) return;
  state.barriers.emplace(state.launch);
  state.history.emplace(state.launch, slots, *state.naming, state.race_memory);
  state.watches_read_only_path = has_read_only_loads(*launch.program, launch.kernel);
}

void LaunchObservation::add_observers(ObserverList& of_thread) {
  State& state = *state_;
  Thread& thread = *state.threads.emplace_back(std::make_unique<Thread>());
  if (state.on_finding)
    thread.log.on_first = [&state](const FindingLog::Entry& entry) {
      const Finding finding = first_seen(*state.launch.program, entry);
      const std::lock_guard lock(state.telling);
      state.on_finding(finding);
    };
  const auto add = [&](auto& observer, auto&&... arguments) {
    of_thread.add(observer.emplace(std::forward<decltype(arguments)>(arguments)...));
  };
  if (state.barriers && state.barriers->size() != 0)
    add(thread.bypass, *state.barriers, state.slots, thread.log);
  // The checks ask for the shape of every access: counting, behind them, finds it known.
  if (state.history) add(thread.memory, *state.history, thread.log);
  if (state.watch != Watch::nothing) add(thread.counting, state.launch, state.slots);
  if (state.watches_read_only_path) of_thread.add(state.read_only_paths.emplace_back(*state.launch.program));
  add(thread.faults, state.launch, *state.naming, thread.log);
}

void LaunchObservation::end() {
  const LaunchContext& launch = state_->launch;
  LaunchReport& report = state_->report;
  report.kernel = launch.kernel;
  report.grid = {launch.grid.x, launch.grid.y, launch.grid.z};
  report.block = {launch.block.x, launch.block.y, launch.block.z};
  report.shared_bytes = launch.asked_shared_bytes;
  std::vector<Counters> by_pc(launch.reach.size());
  std::vector<const FindingLog*> logs;
  for (const auto& thread : state_->threads) {
    if (thread->counting) thread->counting->add_to(by_pc, report.divergent_branches_by_interval);
    logs.push_back(&thread->log);
  }
  report_read_only_path(*state_->naming, state_->read_only_paths, state_->log_at_end);
  logs.push_back(&state_->log_at_end);
  add_counters(launch, by_pc, report);
  report.findings = merge_findings(*launch.program, logs);
  if (state_->watch != Watch::everything) forget_what_is_written(*launch.memory);
}

LaunchReport LaunchObservation::take_report(const run::LaunchOutcome& outcome) {
  state_->report.completed = outcome.status == LaunchStatus::ok || outcome.status == LaunchStatus::sync_fault;
  state_->report.seconds = outcome.seconds;
  return std::move(state_->report);
}

}  // namespace warpwise::simulator::observe
