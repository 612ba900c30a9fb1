#include "watcher.hpp"

#include "describe_race.hpp"
#include "faults.hpp"
#include "help.hpp"

namespace warpwise::simulator {

using machine::Access;
using machine::AccessKind;
using machine::BlockContext;
using machine::LaneMask;
using machine::Pc;
using machine::WarpContext;

WatchedLaunch::WatchedLaunch(const machine::LaunchContext& context, std::uint32_t slot_count)
    : launch(context),
      slots(slot_count),
      facts(*context.program, context.kernel),
      barriers(*context.program, context.kernel),
      naming(context),
      shadow(facts.granule) {}

Watcher::Slot::Slot(WatchedLaunch& watched)
    : order(watched.variables, watched.facts.has_fences),
      shared_races(order, watched.facts.granule, watched.launch.shared_bytes),
      bypass(watched.barriers) {}

Watcher::Watcher(WatchedLaunch& watched, Watch watch)
    : watched_(watched),
      watch_(watch),
      counting_(*watched.launch.program, watched.slots),
      global_races_(watched.shadow, watched.launch.program->size(), watched.slots),
      slots_(watched.slots) {}

void Watcher::on_block_begin(const BlockContext& block) {
  if (watch_ != Watch::everything) return;
  auto& slot = slots_[block.slot];
  if (!slot) slot = std::make_unique<Slot>(watched_);
  slot->order.begin(block);
  slot->shared_races.begin_epoch();
  slot->written.begin(watched_.launch.shared_bytes, watched_.launch.reserved_shared_bytes, block.threads);
  slot->bypass.begin(block.warps);
  slot->copies.begin(block.warps);
  slot->events = 0;
  global_races_.begin(block);
}

void Watcher::on_run(const WarpContext& warp, Pc first, Pc last, LaneMask lanes) {
  if (watch_ == Watch::nothing) return;
  counting_.on_run(first, last, lanes);
  if (watch_ == Watch::everything) slot(*warp.block).bypass.on_run(warp.warp, last, lanes);
}

void Watcher::on_branch(const WarpContext& warp, Pc pc, LaneMask active, LaneMask taken) {
  if (watch_ != Watch::nothing) counting_.on_branch(*warp.block, pc, active, taken);
}

void Watcher::on_access(const WarpContext& warp, const Access& access) {
  if (watch_ == Watch::nothing || access.lanes == 0) return;
  AccessShape shape = AccessShape::other;
  if (watch_ == Watch::everything || access.space != ptx::Space::shared)
    shape = shape_of(access.bytes, access.lanes, access.address);
  counting_.on_access(access, shape);
  if (watch_ != Watch::everything) return;
  if (access.space == ptx::Space::shared) {
    Slot& here = slot(*warp.block);
    if (const auto clash = here.copies.clash_with(access))
      return report_clash(warp, access, *clash, {0, warp.block->linear, here.events++});
    if (access.is_async) return here.copies.start(warp.warp, access);
  }
  if (!watched_.facts.is_first_guess[access.pc]) return check(warp, access, shape);
  Access guess = access;
  guess.ordering = machine::Ordering::relaxed;
  guess.scope = machine::Scope::sys;
  check(warp, guess, shape);
}

void Watcher::check(const WarpContext& warp, const Access& access, AccessShape shape) {
  const bool is_shared = access.space == ptx::Space::shared;
  const bool is_global = access.space == ptx::Space::global;
  if (!is_shared && !is_global && access.space != ptx::Space::local) return;
  Slot& here = slot(*warp.block);
  const SeenAt seen{0, warp.block->linear, here.events++};

  const auto unwritten = here.written.check(warp, access, shape, watched_.facts.is_exchange[access.pc]);
  if (unwritten) report_unwritten(warp, access, *unwritten, seen);
  if (!is_shared && !is_global) return;

  here.order.before_access(warp.warp);
  const bool is_atomic = access.kind == AccessKind::atomic || access.kind == AccessKind::reduction;
  if (is_atomic || access.ordering != machine::Ordering::weak) {
    here.order.on_strong_access(warp.warp, access);
  }
  const auto found = is_shared ? here.shared_races.check(warp, access, shape)
                               : global_races_.check(here.order, warp, access, shape);
  if (found) report_race(access, *found, seen);
}

void Watcher::report_race(const Access& access, const Race& found, SeenAt seen) {
  const machine::Program& program = *watched_.launch.program;
  const Race race = told_from_one_side(program, found);
  // Between warps a line needs more than __syncwarp(): such a race is the one to tell of.
  seen.rank =
      race.first.when.block == race.second.when.block && race.first.when.warp == race.second.when.warp;
  log_.add(FindingKind::race, race.second.pc, seen, [&] {
    return describe_race(program, watched_.naming, race, access.space, access.bytes / access.elements);
  });
}

void Watcher::report_clash(const WarpContext& warp, const Access& access, const CopiesUnderWay::Clash& clash,
                           SeenAt seen) {
  log_.add(FindingKind::race, access.pc, seen, [&] {
    return describe_clash(*watched_.launch.program, watched_.naming, access,
                          warp.warp * machine::warp_size + clash.lane, clash);
  });
}

void Watcher::report_unwritten(const WarpContext& warp, const Access& access, const UnwrittenRead& read,
                               SeenAt seen) {
  log_.add(FindingKind::uninitialised, access.pc, seen, [&] {
    Description description;
    description.pc = access.pc;
    description.threads = {warp.warp * machine::warp_size + read.lane};
    const std::uint32_t element = access.bytes / access.elements;
    description.message = "thread " + std::to_string(description.threads[0]) + " reads " +
                          watched_.naming.of(access.space, read.address, element) +
                          ", which nobody has written";
    description.note = "its value is whatever was there before";
    description.help = help_for(access.space == ptx::Space::shared   ? Situation::unwritten_shared
                                : access.space == ptx::Space::global ? Situation::unwritten_global
                                                                     : Situation::unwritten_local);
    return description;
  });
}

void Watcher::on_barrier_arrive(const WarpContext& warp, Pc pc, std::uint32_t barrier, LaneMask lanes) {
  if (watch_ == Watch::nothing) return;
  counting_.on_barrier_arrive(*warp.block, pc, barrier);
  if (watch_ != Watch::everything) return;
  Slot& here = slot(*warp.block);
  here.order.on_barrier_arrive(warp.warp, barrier, lanes, !watched_.facts.only_arrives[pc]);
  here.bypass.on_arrive(warp.warp, pc, lanes);
}

void Watcher::on_barrier_release(const BlockContext& block, std::uint32_t barrier,
                                 std::span<const LaneMask> lanes_by_warp, bool is_whole_block) {
  if (watch_ == Watch::nothing) return;
  counting_.on_barrier_release(block, barrier);
  if (watch_ != Watch::everything) return;
  Slot& here = slot(block);
  if (here.order.on_barrier_release(barrier, is_whole_block)) here.shared_races.begin_epoch();
  const auto bypass = here.bypass.on_release(lanes_by_warp);
  if (!bypass) return;
  log_.add(FindingKind::barrier, bypass->pc, {0, block.linear, here.events++},
           [&] { return describe_bypass(bypass->pc, bypass->warp, bypass->lanes); });
}

void Watcher::on_collective(const WarpContext& warp, Pc, LaneMask lanes) {
  if (watch_ == Watch::everything) slot(*warp.block).order.on_collective(warp.warp, lanes);
}

void Watcher::on_warp_barrier(const WarpContext& warp, Pc, LaneMask lanes) {
  if (watch_ == Watch::everything) slot(*warp.block).order.on_warp_barrier(warp.warp, lanes, warp.exited);
}

void Watcher::on_copy_commit(const WarpContext& warp, LaneMask lanes) {
  if (watch_ == Watch::everything) slot(*warp.block).copies.commit(warp.warp, lanes);
}

/// What lands is written now, as far as order is concerned.
void Watcher::on_copy_wait(const WarpContext& warp, std::uint32_t left, LaneMask lanes) {
  if (watch_ != Watch::everything) return;
  for (const Access& copy : slot(*warp.block).copies.wait(warp.warp, left, lanes))
    check(warp, copy, shape_of(copy.bytes, copy.lanes, copy.address));
}

void Watcher::on_fence(const WarpContext& warp, Pc, machine::Scope scope, LaneMask lanes) {
  if (watch_ == Watch::everything) slot(*warp.block).order.on_fence(warp.warp, scope, lanes);
}

void Watcher::on_fault(const WarpContext& warp, const machine::Fault& fault) {
  if (is_harmless(*watched_.launch.program, fault)) return;
  has_ended_launch_ |= fault.ends_launch();
  const std::uint64_t block = warp.block != nullptr ? warp.block->linear : 0;
  const bool has_slot = warp.block != nullptr && watch_ == Watch::everything && slots_[warp.block->slot];
  const SeenAt seen{0, block, has_slot ? slot(*warp.block).events++ : faults_++};
  log_.add(kind_of(fault.kind), fault.pc, seen, [&] { return describe_fault(watched_.naming, warp, fault); });
}

}  // namespace warpwise::simulator
