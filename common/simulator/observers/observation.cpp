#include "observation.hpp"

#include <map>
#include <utility>

#include "source_lines.hpp"
#include "watcher.hpp"

namespace warpwise::simulator {

struct LaunchObservation::State {
  Watch watch;
  machine::LaunchContext launch{};
  std::unique_ptr<WatchedLaunch> watched{};
  std::vector<std::unique_ptr<Watcher>> watchers{};
  LaunchReport report{};
};

namespace {

/// Nobody recorded what the launch wrote: from now on all counts as written, what a device-side malloc() gave
/// as well. An allocation without bytes is not found, and needs nothing.
void forget_what_is_written(machine::GlobalMemory& memory) {
  for (const machine::Allocation* allocation : memory.all()) {
    if (allocation->written.empty()) continue;
    if (machine::Allocation* found = memory.find(allocation->base)) found->written.clear();
  }
}

void add_counters(const machine::Program& program, const std::vector<std::unique_ptr<Watcher>>& watchers,
                  LaunchReport& report) {
  std::vector<Counters> by_pc(program.size());
  for (const auto& watcher : watchers) {
    watcher->counting().add_to(by_pc, report.divergent_branches_by_interval);
  }
  std::map<std::int32_t, Counters> by_location;  // instructions of one source line share a few of them
  for (machine::Pc pc = 0; pc < program.size(); ++pc) {
    if (by_pc[pc].warp_instructions == 0) continue;
    report.counters += by_pc[pc];
    by_location[program.text_of(pc).location] += by_pc[pc];
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

LaunchObservation::LaunchObservation(Watch watch) : state_(std::make_unique<State>(State{watch})) {}
LaunchObservation::~LaunchObservation() = default;

void LaunchObservation::begin(const machine::LaunchContext& launch, std::uint32_t slots) {
  state_->launch = launch;
  state_->watched = std::make_unique<WatchedLaunch>(state_->launch, slots);
}

machine::Observer& LaunchObservation::make_worker() {
  state_->watchers.push_back(std::make_unique<Watcher>(*state_->watched, state_->watch));
  return *state_->watchers.back();
}

void LaunchObservation::end() {
  const machine::LaunchContext& launch = state_->launch;
  LaunchReport& report = state_->report;
  report.kernel = launch.kernel;
  report.grid = {launch.grid.x, launch.grid.y, launch.grid.z};
  report.block = {launch.block.x, launch.block.y, launch.block.z};
  report.shared_bytes = launch.asked_shared_bytes;
  if (state_->watch != Watch::nothing) add_counters(*launch.program, state_->watchers, report);
  std::vector<const FindingLog*> logs;
  for (const auto& watcher : state_->watchers) {
    logs.push_back(&watcher->log());
    report.completed &= !watcher->has_ended_launch();
  }
  report.findings = merge_findings(*launch.program, logs);
  if (state_->watch != Watch::everything) forget_what_is_written(*launch.memory);
}

LaunchReport LaunchObservation::take_report() { return std::move(state_->report); }

}  // namespace warpwise::simulator
