// The observer that counts: every member of Counters, bank conflicts among them (observer_bank_rules.cpp has
// their rule).
#include "observers.hpp"

#include <map>
#include <vector>

#include "../observer.hpp"

namespace warpwise::simulator::observe {

namespace {

/// What happened at one instruction. It may be generic, and meet shared memory one time and global memory the
/// next.
struct Events {
  struct Memory {
    std::uint64_t requests = 0;
    std::uint64_t cost = 0;  ///< wavefronts of shared memory, sectors of global memory
    std::uint64_t bank_conflicts = 0;
  };
  std::uint64_t branches = 0, divergent_branches = 0, barrier_releases = 0;
  Memory shared, global, local;
};

/// Counts what one host thread's blocks do, instruction by instruction. Arrays by place in the launch's reach
/// while the kernel runs; names and source lines only at the end.
class Counting final : public Observer {
 public:
  Counting(const Watched& watched, FindingLog&)
      : program_(*watched.launch.program),
        reach_(watched.launch.reach),
        steps_(reach_.size() + 1),
        events_(reach_.size()),
        last_arrival_(std::size_t{watched.slots} * barriers_per_block, reach_.begin) {}

  void on_run(const WarpContext&, Pc first, Pc last, LaneMask lanes) override {
    const std::int64_t threads = lane_count(lanes);
    Steps& begin = steps_[reach_.index_of(first)];
    ++begin.warps;
    begin.threads += threads;
    Steps& end = steps_[reach_.index_of(last) + 1];
    --end.warps;
    end.threads -= threads;
  }
  void on_branch(const WarpContext& warp, Pc pc, LaneMask active, LaneMask taken) override;
  void on_access(const WarpContext&, const Access& access) override;
  void on_barrier_arrive(const WarpContext& warp, Pc pc, std::uint32_t barrier, LaneMask) override {
    if (barrier < barriers_per_block) last_arrival_[warp.block->slot * barriers_per_block + barrier] = pc;
  }
  void on_barrier_release(const BlockContext& block, std::uint32_t barrier, std::span<const LaneMask>,
                          bool) override {
    if (barrier < barriers_per_block)
      ++events_[reach_.index_of(last_arrival_[block.slot * barriers_per_block + barrier])].barrier_releases;
  }

  /// Adds what was counted to `by_pc` (one entry for each instruction of the launch's reach) and
  /// `by_interval`.
  void add_to(std::vector<Counters>& by_pc, std::vector<std::uint64_t>& by_interval) const;

 private:
  // on_run counts an interval of pcs by its ends: +1 at the first, -1 behind the last; sums give the rest.
  struct Steps {
    std::int64_t warps = 0, threads = 0;
  };
  void add_runs(std::vector<Counters>& by_pc) const;

  const Program& program_;
  const PcRange reach_;
  std::vector<Steps> steps_;
  std::vector<Events> events_;    ///< by instruction
  std::vector<Pc> last_arrival_;  ///< by slot and barrier
  std::vector<std::uint64_t> divergent_by_interval_;
};

void Counting::on_branch(const WarpContext& warp, Pc pc, LaneMask active, LaneMask taken) {
  Events& events = events_[reach_.index_of(pc)];
  ++events.branches;
  if (taken == 0 || taken == active) return;
  ++events.divergent_branches;
  const std::uint32_t interval = warp.block->barriers_passed;
  if (divergent_by_interval_.size() <= interval) divergent_by_interval_.resize(interval + 1);
  ++divergent_by_interval_[interval];
}

void Counting::on_access(const WarpContext&, const Access& access) {
  if (access.lanes == 0) return;
  Events& events = events_[reach_.index_of(access.pc)];
  switch (access.space) {
    case ptx::Space::shared: {
      const SharedCost cost =
          shared_cost(access.kind, access.bytes, access.lanes, access.address, access.known_shape());
      ++events.shared.requests;
      events.shared.cost += cost.wavefronts;
      events.shared.bank_conflicts += cost.bank_conflicts;
      break;
    }
    case ptx::Space::global:
      ++events.global.requests;
      events.global.cost +=
          global_sectors(access.kind, access.bytes, access.lanes, access.address, access.shape());
      break;
    case ptx::Space::local:
      ++events.local.requests;
      break;
    default:
      break;
  }
}

/// Classes of which each instruction counts, whatever it does.
constexpr std::pair<ptx::InstructionClass, std::uint64_t Counters::*> counted_classes[] = {
    {ptx::InstructionClass::warp_barrier, &Counters::warp_barriers},
    {ptx::InstructionClass::shuffle, &Counters::shuffles},
    {ptx::InstructionClass::vote, &Counters::votes},
    {ptx::InstructionClass::match, &Counters::matches},
    {ptx::InstructionClass::warp_reduce, &Counters::warp_reductions},
};

void Counting::add_runs(std::vector<Counters>& by_pc) const {
  std::int64_t warps = 0;
  std::int64_t threads = 0;
  for (std::uint32_t i = 0; i < reach_.size(); ++i) {
    warps += steps_[i].warps;
    threads += steps_[i].threads;
    const auto times = static_cast<std::uint64_t>(warps);
    Counters& counters = by_pc[i];
    counters.warp_instructions += times;
    counters.thread_instructions += static_cast<std::uint64_t>(threads);
    const ptx::InstructionClass what = program_.class_of(reach_.begin + i);
    for (const auto& [counted, member] : counted_classes)
      if (counted == what) counters.*member += times;
  }
}

void Counting::add_to(std::vector<Counters>& by_pc, std::vector<std::uint64_t>& by_interval) const {
  add_runs(by_pc);
  for (std::uint32_t i = 0; i < reach_.size(); ++i) {
    Counters& counters = by_pc[i];
    const Events& events = events_[i];
    counters.branches += events.branches;
    counters.divergent_branches += events.divergent_branches;
    counters.block_barriers += events.barrier_releases;
    const Events::Memory &shared = events.shared, &global = events.global, &local = events.local;
    if (shared.requests + global.requests + local.requests == 0) continue;
    const ptx::MemoryAccess access = program_.text_of(reach_.begin + i).row->access;
    if (access == ptx::MemoryAccess::atomic || access == ptx::MemoryAccess::reduction) {
      counters.shared_atomic_requests += shared.requests;
      counters.shared_atomic_wavefronts += shared.cost;
      counters.shared_atomic_bank_conflicts += shared.bank_conflicts;
      counters.global_atomic_requests += global.requests;
      counters.global_atomic_sectors += global.cost;
    } else if (access == ptx::MemoryAccess::store) {
      counters.shared_store_requests += shared.requests;
      counters.shared_store_wavefronts += shared.cost;
      counters.shared_store_bank_conflicts += shared.bank_conflicts;
      counters.global_store_requests += global.requests;
      counters.global_store_sectors += global.cost;
      counters.local_store_requests += local.requests;
    } else if (access == ptx::MemoryAccess::copy) {  // cp.async reads global and writes shared memory
      counters.shared_store_requests += shared.requests;
      counters.shared_store_wavefronts += shared.cost;
      counters.shared_store_bank_conflicts += shared.bank_conflicts;
      counters.global_load_requests += global.requests;
      counters.global_load_sectors += global.cost;
    } else {
      counters.shared_load_requests += shared.requests;
      counters.shared_load_wavefronts += shared.cost;
      counters.shared_load_bank_conflicts += shared.bank_conflicts;
      counters.global_load_requests += global.requests;
      counters.global_load_sectors += global.cost;
      counters.local_load_requests += local.requests;
    }
  }
  if (by_interval.size() < divergent_by_interval_.size()) by_interval.resize(divergent_by_interval_.size());
  for (std::size_t i = 0; i < divergent_by_interval_.size(); ++i) by_interval[i] += divergent_by_interval_[i];
}

/// The sums of what was counted at each instruction: of the launch and of each source line.
void add_counters(const LaunchContext& launch, const std::vector<Counters>& by_pc, LaunchReport& report) {
  const Program& program = *launch.program;
  std::map<std::int32_t, Counters> by_location;  // instructions of one source line share a few of them
  for (Pc pc = launch.reach.begin; pc < launch.reach.end; ++pc) {
    const Counters& counters = by_pc[launch.reach.index_of(pc)];
    if (counters.warp_instructions == 0) continue;
    by_location[program.text_of(pc).location] += counters;
  }
  std::map<SourcePlace, Counters> by_line;
  for (const auto& [location, counters] : by_location) {
    report.counters += counters;
    const SourcePlace& place = program.place_of_location(location);
    if (place.line != 0) by_line[place] += counters;
  }
  for (const auto& [place, counters] : by_line) report.lines.push_back({place.file, place.line, counters});
}

struct CountingPart final : ObserverPart<const Watched&, Counting> {
  using ObserverPart::ObserverPart;
  void end(LaunchReport& report, FindingLog&) override {
    std::vector<Counters> by_pc(common.launch.reach.size());
    for (const Counting& thread : threads) thread.add_to(by_pc, report.divergent_branches_by_interval);
    add_counters(common.launch, by_pc, report);
  }
};

}  // namespace

std::unique_ptr<ReportPart> counting(const Watched& watched) {
  return std::make_unique<CountingPart>(watched);
}

}  // namespace warpwise::simulator::observe

namespace warpwise::simulator {

double Counters::lane_utilisation() const {
  if (warp_instructions == 0) return 0;
  return static_cast<double>(thread_instructions) / (32.0 * static_cast<double>(warp_instructions));
}

Counters& Counters::operator+=(const Counters& other) {
  for (const CounterField& field : counter_fields) this->*field.member += other.*field.member;
  return *this;
}

}  // namespace warpwise::simulator
