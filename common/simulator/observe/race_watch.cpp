#include "race_watch.hpp"

#include <algorithm>

namespace warpwise::simulator::observe {

RaceStudy::RaceStudy(const Program& its_program, PcRange its_reach, std::span<const RaceSeen> races)
    : program(its_program), reach(its_reach) {
  for (const RaceSeen& race : races) {
    RaceLesson& lesson = lessons.emplace_back();
    lesson.race = race;
    const Touch &a = race.race.first, &b = race.race.second;
    BarrierPlaces& around = places.try_emplace(race.space, program, reach, race.space).first->second;
    if (a.when.block == b.when.block) {
      lesson.places = around.around(a.pc, b.pc);
      totals[a.when.block][race.space];
    } else {
      totals[a.when.block], totals[b.when.block];
    }
  }
}

void RaceWatcher::on_block_begin(const BlockContext& block) {
  auto& here = blocks_[block.slot];
  here.reset();
  const auto found = study_.totals.find(block.linear);
  if (found == study_.totals.end()) return;
  here = std::make_unique<Block>(study_);
  here->order.begin(block);
  here->pending.resize(block.warps);
  here->warp_barriers.resize(block.warps);
  for (RaceLesson& lesson : study_.lessons)
    if (lesson.race.race.first.when.block == block.linear ||
        lesson.race.race.second.when.block == block.linear)
      here->lessons.push_back(&lesson);
  for (auto& [space, totals] : found->second) {
    BarrierPlaces& places = study_.places.at(space);
    totals.threads = block.threads;
    totals.by_place.assign(std::size_t{block.warps} * places.size(), {});
    totals.has_returned.assign(std::size_t{block.warps} * places.regions(), {});
    Steps steps{space, &places, &totals, {}, {}};
    std::array<Pc, warp_size> none;
    none.fill(BarrierPlaces::nowhere);
    steps.last.assign(std::size_t{block.warps} * places.regions(), none);
    steps.has_jumped.assign(steps.last.size(), 0);
    here->steps.push_back(std::move(steps));
  }
}

void RaceWatcher::on_block_end(const BlockContext& block) {
  auto& here = blocks_[block.slot];
  if (!here) return;
  for (Steps& steps : here->steps)
    for (std::uint32_t warp = 0; warp < block.warps; ++warp)
      for (std::uint32_t region = 0; region < steps.places->regions(); ++region) {
        const std::size_t at = std::size_t{warp} * steps.places->regions() + region;
        for (std::uint32_t lane = 0; lane < warp_size; ++lane)
          steps.totals->has_returned[at][lane] =
              steps.places->may_return_at(static_cast<int>(region), steps.last[at][lane]);
        count(steps, warp, static_cast<int>(region), BarrierPlaces::nowhere, all_lanes);
      }
  here.reset();
}

/// `lanes` go on to `pc`.
void RaceWatcher::count(Steps& steps, std::uint32_t warp, int region, Pc pc, LaneMask lanes) {
  const std::size_t at = std::size_t{warp} * steps.places->regions() + static_cast<std::size_t>(region);
  auto& last = steps.last[at];
  LaneMask& jumped = steps.has_jumped[at];
  const auto come_from = [&](std::uint32_t lane) { return std::pair(last[lane], jumped >> lane & 1); };
  for_each_agreeing(lanes, come_from, [&](LaneMask same) {
    const auto [from, has_jumped] = come_from(lowest_lane(same));
    if (from == BarrierPlaces::nowhere && pc == from) return;
    for (const std::uint32_t place : steps.places->passed(region, from, has_jumped != 0, pc)) {
      auto& counts = steps.totals->by_place[std::size_t{warp} * steps.places->size() + place];
      for (const std::uint32_t lane : lanes_in(same)) ++counts[lane];
    }
    for (const std::uint32_t lane : lanes_in(same)) last[lane] = pc;
  });
  jumped &= ~lanes;
}

void RaceWatcher::step(Steps& steps, std::uint32_t warp, Pc pc, LaneMask lanes) {
  if (const int region = steps.places->region_of(pc); region >= 0) count(steps, warp, region, pc, lanes);
}

void RaceWatcher::on_run(const WarpContext& warp, Pc first, Pc last, LaneMask lanes) {
  Block* const here = block_of(warp);
  if (here == nullptr) return;
  auto& pending = here->pending[warp.warp];
  for (Pc pc = first; pc <= last; ++pc) {
    for (Steps& steps : here->steps) step(steps, warp.warp, pc, lanes);
    for (Pending& each : pending) {
      if (each.pc != pc || (each.lanes & lanes) == 0) continue;
      for (const auto& [lesson, is_first] : each.of) {
        auto& visits = is_first ? lesson->first : lesson->second;
        if (visits.size() >= most_visits) lesson->has_too_many = true;
        for (const std::uint32_t lane : lanes_in(lesson->has_too_many ? 0 : each.lanes & lanes)) {
          RaceVisit& visit = visits.emplace_back(each.visits[lane]);
          for (const Steps& steps : here->steps)
            if (steps.space == lesson->race.space)
              for (const std::uint32_t place : lesson->places)
                visit.passed.push_back(
                    steps.totals->by_place[std::size_t{warp.warp} * steps.places->size() + place][lane]);
        }
      }
      each.lanes &= ~lanes;
    }
  }
  std::erase_if(pending, [](const Pending& each) { return each.lanes == 0; });
}

void RaceWatcher::on_branch(const WarpContext& warp, Pc pc, LaneMask, LaneMask taken) {
  Block* const here = block_of(warp);
  if (here == nullptr) return;
  for (Steps& steps : here->steps)
    if (const int region = steps.places->region_of(pc); region >= 0)
      steps.has_jumped[std::size_t{warp.warp} * steps.places->regions() + static_cast<std::size_t>(region)] |=
          taken;
}

void RaceWatcher::on_access(const WarpContext& warp, const Access& access) {
  Block* const here = block_of(warp);
  if (here == nullptr || access.lanes == 0) return;
  here->order.before_access(warp.warp);
  if (access.ordering != Ordering::weak) here->order.on_strong_access(warp.warp, access);
  Pending pending{access.pc, access.lanes, {}, {}};
  for (RaceLesson* const lesson : here->lessons) {
    const Race& race = lesson->race.race;
    const Moment now = here->order.now(warp.warp, 0);
    if (lesson->has_reader()) {
      follow_values(*lesson, *here, warp.warp, access);
      follow_flags(*lesson, now, access, access.lanes);
    }
    const bool is_space = access.space == lesson->race.space;
    for (const bool is_first : {true, false}) {
      const Touch& touch = is_first ? race.first : race.second;
      if (!is_space || touch.pc != access.pc || touch.when.block != now.block) continue;
      pending.of.emplace_back(lesson, is_first);
      RaceOrder::Extent& extent = is_first ? lesson->first_extent : lesson->second_extent;
      extent.element_bytes = access.bytes / access.elements;
      for (const std::uint32_t lane : lanes_in(access.lanes)) {
        extent.begin = std::min(extent.begin, access.address[lane]);
        extent.end = std::max(extent.end, access.address[lane] + access.bytes);
      }
    }
  }
  if (pending.of.empty()) return;
  for (const std::uint32_t lane : lanes_in(access.lanes)) {
    RaceVisit& visit = pending.visits[lane];
    visit.when = here->order.now(warp.warp, lane);
    visit.address = access.address[lane];
    visit.bytes = access.bytes;
    visit.warp_barriers = here->warp_barriers[warp.warp];
  }
  here->pending[warp.warp].push_back(std::move(pending));
}

/// Which flags does the writer's block set behind the write, and the reader's read before the read, and are
/// fences between them? `now`: of lane 0.
void RaceWatcher::follow_flags(RaceLesson& lesson, const Moment& now, const Access& access, LaneMask lanes) {
  const Touch &writer = lesson.writer(), &reader = lesson.reader();
  const bool is_strong = access.ordering != Ordering::weak;
  for (const std::uint32_t lane : lanes_in(lanes)) {
    const std::uint32_t thread = now.warp * warp_size + lane;
    const bool is_there = access.address[lane] <= lesson.race.race.address &&
                          lesson.race.race.address < access.address[lane] + access.bytes;
    if (now.block == reader.when.block && !lesson.has_read) {
      lesson.has_read = access.pc == reader.pc && thread == reader.when.thread() && is_there;
      if (is_strong && access.kind != AccessKind::store && !is_there) {
        FlagUse& use = lesson.read_before[access.address[lane]];
        if (use.pc == 0 || thread == reader.when.thread() || use.thread != reader.when.thread())
          use = {access.pc, thread,
                 access.ordering == Ordering::acquire || access.ordering == Ordering::acq_rel, false};
      }
    }
    if (now.block != writer.when.block) continue;
    const bool is_write = access.pc == writer.pc && thread == writer.when.thread() && is_there;
    if (is_write && !lesson.has_written) {
      lesson.has_written = true;
      lesson.set_behind.clear();
      lesson.set_behind[0] = {0, thread, false, false};  // the fences since
    } else if (lesson.has_written && is_strong && access.kind != AccessKind::load && !is_there) {
      const FlagUse& since = lesson.set_behind[0];
      const bool is_release = access.ordering == Ordering::release || access.ordering == Ordering::acq_rel;
      if (since.is_of_all || thread == since.thread)
        lesson.set_behind.try_emplace(access.address[lane],
                                      FlagUse{access.pc, thread, since.is_fenced || is_release, false});
    }
  }
}

/// Does what the writing thread writes, or the reading one reads, come to global memory, by way of any
/// thread? The read of the race does not count for the writer. Who writes has the value in a register, too.
void RaceWatcher::follow_values(RaceLesson& lesson, Block& block, std::uint32_t warp, const Access& access) {
  if (lesson.race.space != ptx::Space::shared) return;
  for (const std::uint32_t lane : lanes_in(access.lanes)) {
    const Moment now = block.order.now(warp, lane);
    const bool is_write_of_race = access.pc == lesson.writer().pc && is_at(lesson.writer(), now);
    const bool is_read_of_race = access.pc == lesson.reader().pc && is_at(lesson.reader(), now);
    const std::uint64_t begin = access.address[lane], end = begin + access.bytes;
    const bool is_there = begin <= lesson.race.race.address && lesson.race.race.address < end;
    lesson.has_begun |= is_write_of_race && is_there;
    if (!lesson.has_begun && is_there && access.space == ptx::Space::shared)
      lesson.was_written_before |= access.kind != AccessKind::load;
    for (RaceLesson::Trail* const trail : {&lesson.of_writer, &lesson.of_reader}) {
      const bool is_of_writer = trail == &lesson.of_writer;
      if (is_of_writer ? is_write_of_race : is_read_of_race) trail->threads.insert(now.thread());
      const bool is_on_it = trail->threads.contains(now.thread());
      const Touch& side = is_of_writer ? lesson.writer() : lesson.reader();
      trail->has_element |= access.space == ptx::Space::global && access.kind == AccessKind::load &&
                            now.block == side.when.block && now.thread() == side.when.thread();
      if (access.space == ptx::Space::global)
        trail->reaches_result |= access.kind != AccessKind::load && is_on_it;
      if (access.space != ptx::Space::shared || (is_of_writer && is_read_of_race)) continue;
      for (std::uint64_t word = begin / watched_bytes; word * watched_bytes < end; ++word) {
        if (access.kind != AccessKind::store && trail->words.contains(word))
          trail->threads.insert(now.thread());
        if (access.kind == AccessKind::load) continue;
        if (is_on_it || (is_of_writer && is_write_of_race))
          trail->words.insert(word);
        else if (access.kind == AccessKind::store)
          trail->words.erase(word);
      }
    }
  }
}

void RaceWatcher::on_barrier_arrive(const WarpContext& warp, Pc pc, std::uint32_t barrier, LaneMask lanes) {
  if (Block* const here = block_of(warp))
    here->order.on_barrier_arrive(warp.warp, barrier, lanes,
                                  !study_.facts->only_arrives[study_.reach.index_of(pc)]);
}

void RaceWatcher::on_barrier_release(const BlockContext& block, std::uint32_t barrier,
                                     std::span<const LaneMask>, bool is_whole_block) {
  Block* const here = blocks_[block.slot].get();
  if (here == nullptr) return;
  here->order.on_barrier_release(barrier, is_whole_block);
  if (!is_whole_block) return;
  for (RaceLesson* const lesson : here->lessons) {
    if (!lesson->has_read && lesson->reader().when.block == block.linear)
      for (auto& [address, use] : lesson->read_before) use.is_of_all = true;
    if (lesson->has_written && lesson->writer().when.block == block.linear)
      lesson->set_behind[0].is_of_all = true;
  }
}

void RaceWatcher::on_warp_barrier(const WarpContext& warp, Pc, LaneMask lanes) {
  Block* const here = block_of(warp);
  if (here == nullptr) return;
  here->order.on_warp_barrier(warp.warp, lanes, warp.exited);
  ++here->warp_barriers[warp.warp];
}

void RaceWatcher::on_collective(const WarpContext& warp, Pc pc, LaneMask lanes) {
  Block* const here = block_of(warp);
  if (here == nullptr) return;
  here->order.on_collective(warp.warp, pc, lanes, warp.exited);
  for (RaceLesson* const lesson : here->lessons)
    for (RaceLesson::Trail* const trail : {&lesson->of_writer, &lesson->of_reader}) {
      const bool is_on_it =
          std::any_of(trail->threads.begin(), trail->threads.end(), [&](std::uint32_t thread) {
            return thread / warp_size == warp.warp && (lanes >> thread % warp_size & 1) != 0;
          });
      for (const std::uint32_t lane : lanes_in(is_on_it ? lanes : 0))
        trail->threads.insert(warp.warp * warp_size + lane);
    }
}

void RaceWatcher::on_fence(const WarpContext& warp, Pc, Scope scope, LaneMask lanes) {
  Block* const here = block_of(warp);
  if (here == nullptr) return;
  here->order.on_fence(warp.warp, scope, lanes);
  for (RaceLesson* const lesson : here->lessons) {
    const auto is_of = [&](std::uint32_t thread) {
      return thread / warp_size == warp.warp && (lanes >> thread % warp_size & 1) != 0;
    };
    const std::uint64_t block = warp.block->linear;
    if (!lesson->has_read && lesson->reader().when.block == block)
      for (auto& [address, use] : lesson->read_before)
        use.is_fenced |= is_of(use.thread) || (use.is_of_all && is_of(lesson->reader().when.thread()));
    if (lesson->has_written && lesson->writer().when.block == block) {
      FlagUse& since = lesson->set_behind[0];
      const bool is_wide = scope != Scope::cta || lesson->reader().when.block == block;
      since.is_fenced |= is_wide && (since.is_of_all || is_of(since.thread));
    }
  }
}

}  // namespace warpwise::simulator::observe
