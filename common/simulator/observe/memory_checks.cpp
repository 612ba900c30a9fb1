// Is each access to memory ordered with those of other threads? And in words: what depends on a value that
// was never set.
#include "observers.hpp"

#include <algorithm>

#include "program_facts.hpp"

namespace warpwise::simulator::observe {

namespace {

/// What the host threads of a launch have in common.
struct MemoryHistory {
  explicit MemoryHistory(const Watched& watched)
      : launch(watched.launch),
        slots(watched.slots),
        naming(watched.naming),
        facts_of_kernel(ProgramFacts::of(launch)),
        uses(launch, facts),
        shadow(facts.global_granule, watched.race_memory) {}

  const LaunchContext& launch;
  std::uint32_t slots;
  const Naming& naming;
  const std::shared_ptr<const ProgramFacts> facts_of_kernel;
  const ProgramFacts& facts = *facts_of_kernel;
  StrongUses uses;
  GlobalShadow shadow;
  SyncVariables variables;
};

/// For one host thread. An access passes two checks: may a cp.async still be writing there, and is the access
/// ordered with those of other threads? They are one observer because what fails the first does not come to
/// the second. Values that were never set are followed by the machine, which reports their uses: here they
/// become findings.
class MemoryChecks final : public Observer {
 public:
  /// `history` and `log` outlive it.
  MemoryChecks(MemoryHistory& history, FindingLog& log);

  void on_block_begin(const BlockContext& block) override;
  void on_access(const WarpContext& warp, const Access& access) override;
  void on_barrier_arrive(const WarpContext& warp, Pc pc, std::uint32_t barrier, LaneMask lanes) override {
    block_of(warp).order.on_barrier_arrive(warp.warp, barrier, lanes,
                                           !history_.facts.only_arrives[history_.launch.reach.index_of(pc)]);
  }
  void on_barrier_release(const BlockContext& block, std::uint32_t barrier, std::span<const LaneMask>,
                          bool is_whole_block) override {
    Block& here = *blocks_[block.slot];
    if (here.order.on_barrier_release(barrier, is_whole_block)) here.shared_races.begin_epoch();
  }
  void on_warp_barrier(const WarpContext& warp, Pc, LaneMask lanes) override {
    block_of(warp).order.on_warp_barrier(warp.warp, lanes, warp.exited);
  }
  void on_collective(const WarpContext& warp, Pc pc, LaneMask lanes) override {
    block_of(warp).order.on_collective(warp.warp, pc, lanes, warp.exited);
  }
  void on_copy_commit(const WarpContext& warp, LaneMask lanes) override {
    block_of(warp).copies.commit(warp.warp, lanes);
  }
  /// What lands is written now, as far as order is concerned.
  void on_copy_wait(const WarpContext& warp, std::uint32_t left, LaneMask lanes) override {
    for (const Access& copy : block_of(warp).copies.wait(warp.warp, left, lanes)) check(warp, copy);
  }
  void on_fence(const WarpContext& warp, Pc, Scope scope, LaneMask lanes) override {
    block_of(warp).order.on_fence(warp.warp, scope, lanes);
  }
  void on_undefined_use(const WarpContext& warp, const UndefinedUse& use) override;

 private:
  /// What is known of one block.
  struct Block {
    explicit Block(MemoryHistory& history);
    BlockOrder order;
    SharedRaces shared_races;
    CopiesUnderWay copies;
  };

  Block& block_of(const WarpContext& warp) { return *blocks_[warp.block->slot]; }
  void check_used_bytes(const WarpContext& warp, const Access& access);
  void check(const WarpContext& warp, const Access& access);
  void check_absent(const WarpContext& warp, const Access& access);
  void report_clash(const WarpContext& warp, const Access& access, const CopiesUnderWay::Clash& clash);
  std::optional<Pc> passed_before(const WarpContext& warp, const Race& race);
  void report_race(const WarpContext& warp, const Access& access, const Race& found);

  MemoryHistory& history_;
  FindingLog& log_;
  GlobalRaces global_races_;
  std::vector<std::unique_ptr<Block>> blocks_;  ///< by slot, made when first used
  const bool has_absent_;                       ///< whether an allocation is_absent_where_unwritten
};

MemoryChecks::Block::Block(MemoryHistory& history)
    : order(history.variables, history.facts.has_fences),
      shared_races(order, history.uses, history.facts.shared_granule, history.launch.shared_bytes) {}

MemoryChecks::MemoryChecks(MemoryHistory& history, FindingLog& log)
    : history_(history),
      log_(log),
      global_races_(history.shadow, history.uses, history.launch.reach, history.slots),
      blocks_(history.slots),
      has_absent_(std::ranges::any_of(history.launch.memory->all(), &Allocation::is_absent_where_unwritten)) {
}

void MemoryChecks::on_block_begin(const BlockContext& block) {
  auto& here = blocks_[block.slot];
  if (!here) here = std::make_unique<Block>(history_);
  here->order.begin(block);
  here->shared_races.begin_epoch();
  here->copies.begin(block.warps);
  global_races_.begin(block);
}

void MemoryChecks::on_access(const WarpContext& warp, const Access& access) {
  if (access.used != all_bytes) return check_used_bytes(warp, access);
  if (access.space == ptx::Space::shared) {
    CopiesUnderWay& copies = block_of(warp).copies;
    if (const auto clash = copies.clash_with(access)) return report_clash(warp, access, *clash);
    if (access.is_async) return copies.start(warp.warp, access);
  }
  check(warp, access);
}

/// A load that the compiler has widened, as accesses to what the program reads: one for each stretch of
/// watched pieces of memory that has used bytes.
void MemoryChecks::check_used_bytes(const WarpContext& warp, const Access& access) {
  const ProgramFacts& facts = history_.facts;
  const std::uint32_t granule =
      access.space == ptx::Space::shared ? facts.shared_granule : facts.global_granule;
  const std::uint32_t piece = ((1u << granule) - 1);
  const auto is_used = [&](std::uint32_t byte) { return (access.used >> byte & piece) != 0; };
  for (std::uint32_t start = 0; start < access.bytes;) {
    std::uint32_t end = start;
    while (end < access.bytes && is_used(end)) end += granule;
    if (end != start) {
      std::uint64_t address[warp_size];
      for (const std::uint32_t lane : lanes_in(access.lanes)) address[lane] = access.address[lane] + start;
      Access part = access.of(access.lanes);
      part.used = all_bytes;
      part.address = address;
      part.bytes = static_cast<std::uint8_t>(end - start);
      part.elements = static_cast<std::uint8_t>(
          std::max<std::uint32_t>(1, part.bytes / (access.bytes / access.elements)));
      on_access(warp, part);
    }
    start = end + granule;
  }
}

void MemoryChecks::check(const WarpContext& warp, const Access& access) {
  const bool is_shared = access.space == ptx::Space::shared;
  const bool is_global = access.space == ptx::Space::global;
  if (!is_shared && !is_global) return;
  if (is_global && has_absent_ && access.kind == AccessKind::load) check_absent(warp, access);
  Block& here = block_of(warp);
  const AccessShape shape = access.shape();

  here.order.before_access(warp.warp);
  if (access.ordering != Ordering::weak) here.order.on_strong_access(warp.warp, access);
  Access judged = access;
  if (history_.facts.is_first_guess[history_.launch.reach.index_of(access.pc)]) {
    judged.ordering = Ordering::relaxed;
    judged.scope = Scope::sys;
  }
  const auto race = is_shared ? here.shared_races.check(warp, judged, shape)
                              : global_races_.check(here.order, warp, judged, shape);
  if (race) report_race(warp, access, *race);
}

/// The first lane that loads what is absent, told as a use: there is none that would be right.
void MemoryChecks::check_absent(const WarpContext& warp, const Access& access) {
  for (const std::uint32_t lane : lanes_in(access.lanes)) {
    const Allocation& place = *access.allocation[lane];
    if (!place.is_absent_where_unwritten) continue;
    if (place.is_written(access.address[lane] - place.base, access.bytes)) continue;
    const UndefinedOrigin origin{.pc = access.pc,
                                 .thread = warp.warp * warp_size + lane,
                                 .space = access.space,
                                 .address = access.address[lane]};
    return on_undefined_use(warp, {.pc = access.pc, .lanes = lane_bit(lane), .origin = origin});
  }
}

void MemoryChecks::report_clash(const WarpContext& warp, const Access& access,
                                const CopiesUnderWay::Clash& clash) {
  log_.add(FindingKind::race, access.pc, warp.block->linear, [&] {
    const std::uint32_t thread = warp.warp * warp_size + clash.lane;
    return describe_clash(*history_.launch.program, history_.naming, access, thread, clash);
  });
}

void MemoryChecks::on_undefined_use(const WarpContext& warp, const UndefinedUse& use) {
  const Program& program = *history_.launch.program;
  if (use.origin.is_absent_lane)
    return log_.confirm(FindingKind::sync, use.origin.pc, what_depends(program, use));
  log_.add(FindingKind::uninitialised, place_of_finding(program, use), warp.block->linear,
           [&] { return describe_undefined(program, history_.naming, warp, use); });
}

void MemoryChecks::report_race(const WarpContext& warp, const Access& access, const Race& found) {
  const Program& program = *history_.launch.program;
  const Race race = seen_from_one_side(program, found);
  const Moment &first = race.first.when, &second = race.second.when;
  // Between warps a line needs more than __syncwarp(), and between blocks more than a barrier: such a race is
  // the one to report.
  const std::uint32_t rank = first.block != second.block ? 0 : first.warp != second.warp ? 1 : 2;
  const auto describe = [&] {
    Description description =
        describe_race(program, history_.naming, race, access.space, passed_before(warp, found));
    description.race = RaceSeen{found, access.space};
    return description;
  };
  log_.add(FindingKind::race, race.second.pc, warp.block->linear, describe, rank);
}

/// The shuffle, vote or match of the whole warp that the value of a read went through before another lane
/// wrote the place that was read.
std::optional<Pc> MemoryChecks::passed_before(const WarpContext& warp, const Race& race) {
  const Moment& read = race.first.when;
  const BlockOrder& order = block_of(warp).order;
  const bool is_read_in_warp = !race.first_writes && read.block == order.block() && read.warp == warp.warp;
  if (!is_read_in_warp) return std::nullopt;
  for (const Pc exchange : order.exchanges_since(read))
    if (reaches_instruction(*history_.launch.program, race.first.pc, exchange)) return exchange;
  return std::nullopt;
}

}  // namespace

std::unique_ptr<ReportPart> memory_checks(const Watched& watched) {
  return std::make_unique<ObserverPart<MemoryHistory, MemoryChecks>>(watched);
}

// ---- Copies under way

void CopiesUnderWay::begin(std::uint32_t warps) {
  copies_.clear();
  groups_.clear();
  groups_.resize(warps);
}

void CopiesUnderWay::start(std::uint32_t warp, const Access& access) {
  Copy& copy = copies_.emplace_back();
  copy.warp = warp;
  copy.access = access;
  copy.open = access.lanes;
  std::copy_n(access.address, warp_size, copy.address.begin());
  std::copy_n(access.value, std::size_t{access.bytes} * warp_size, copy.value.begin());
}

void CopiesUnderWay::commit(std::uint32_t warp, LaneMask lanes) {
  for (const std::uint32_t lane : lanes_in(lanes)) ++groups_[warp][lane];
  for (Copy& copy : copies_) {
    if (copy.warp != warp) continue;
    for (const std::uint32_t lane : lanes_in(copy.open & lanes)) copy.group[lane] = groups_[warp][lane];
    copy.open &= ~lanes;
  }
}

std::vector<Access> CopiesUnderWay::wait(std::uint32_t warp, std::uint32_t left, LaneMask lanes) {
  landed_.clear();
  for (Copy& copy : copies_) {
    if (copy.warp != warp) continue;
    LaneMask here = 0;
    for (const std::uint32_t lane : lanes_in(copy.access.lanes & lanes & ~copy.open)) {
      if (groups_[warp][lane] - copy.group[lane] >= left) here |= lane_bit(lane);
    }
    if (here == 0) continue;
    landed_.push_back(copy);
    landed_.back().access = copy.access.of(here);
    copy.access = copy.access.of(copy.access.lanes & ~here);
  }
  std::erase_if(copies_, [](const Copy& copy) { return copy.access.lanes == 0; });
  std::vector<Access> accesses;
  for (Copy& copy : landed_) {
    copy.access.address = copy.address.data();
    copy.access.value = copy.value.data();
    accesses.push_back(copy.access);
  }
  return accesses;
}

std::optional<CopiesUnderWay::Clash> CopiesUnderWay::clash_with(const Access& access) const {
  for (const std::uint32_t lane : lanes_in(copies_.empty() ? 0 : access.lanes)) {
    const std::uint64_t from = access.address[lane];
    for (const Copy& copy : copies_) {
      for (const std::uint32_t each : lanes_in(copy.access.lanes)) {
        const std::uint64_t to = copy.address[each];
        if (from < to + copy.access.bytes && to < from + access.bytes)
          return Clash{lane, std::max(from, to), copy.access.pc, copy.warp * warp_size + each};
      }
    }
  }
  return std::nullopt;
}

}  // namespace warpwise::simulator::observe
