#include "race_global.hpp"

#include <algorithm>
#include <cstring>

namespace warpwise::simulator {

using machine::Access;
using machine::AccessKind;
using machine::AccessShape;
using machine::all_lanes;
using machine::Allocation;
using machine::LaneMask;
using machine::lowest;
using machine::warp_size;
using machine::WarpContext;

namespace {

constexpr GlobalStamp lane_mask = warp_size - 1;
constexpr GlobalStamp strong_flag = 1u << 5, never_zero = 1u << 6, block_scope_flag = 1u << 7;
constexpr std::uint32_t pc_shift = 8, pc_bits = 19;
constexpr std::uint32_t segment_shift = pc_shift + pc_bits;
constexpr std::uint32_t table_shift = 29;  // of the segment: index below, table above

constexpr std::size_t arena_chunk_lines = 64;

GlobalStamp with_lane(GlobalStamp stamp, std::uint32_t lane) { return (stamp & ~lane_mask) | lane; }

}  // namespace

/// One access on its way through the cells: what enter() asks for.
struct GlobalRaces::Visit {
  GlobalShadow& shadow;
  machine::PcRange reach;
  BlockOrder& order;
  const Access& access;
  bool is_write;
  Touch me{};
  std::uint64_t address = 0;
  std::uint64_t length = 0;  ///< bytes of the piece at `address`
  std::optional<Race> race{};

  bool is_live(GlobalStamp stamp) const { return stamp != 0; }
  Touch touch_of(GlobalStamp stamp) const {
    const std::uint64_t number = stamp >> segment_shift;
    const Segment& segment = shadow.segments(static_cast<std::uint32_t>(number >> table_shift))
                                 .at(number & ((std::uint64_t{1} << table_shift) - 1));
    Touch touch;
    touch.when = {segment.block, segment.epoch, segment.time, segment.warp,
                  static_cast<std::uint32_t>(stamp & lane_mask)};
    touch.pc = reach.begin + (static_cast<std::uint32_t>(stamp >> pc_shift) & ((1u << pc_bits) - 1));
    touch.is_strong = (stamp & strong_flag) != 0;
    touch.is_block_scope = (stamp & block_scope_flag) != 0;
    return touch;
  }
  bool is_ordered(const Touch& other) const {
    if (order.is_ordered(other.when, me.when.warp, me.when.lane)) return true;
    return other.is_strong && order.has_acquired_from(access.space, address, me.when.warp, me.when.lane);
  }
  bool is_ordered_quickly(const Touch& other) const {
    if (other.when.block != me.when.block) return false;
    if (other.when.epoch < me.when.epoch) return true;
    return other.when.warp == me.when.warp && other.when.time < me.when.time && is_ordered(other);
  }
  void on_race(const Touch& other, bool other_writes) {
    if (race || (other_writes && is_write && stores_the_same(other))) return;
    race = Race{other, me, other_writes, is_write, address};
  }
  /// Two threads that store the same value do no harm, whoever comes first.
  bool stores_the_same(const Touch& other) const {
    if (access.value == nullptr) return false;
    const std::uint32_t lane = me.when.lane;
    const std::byte* mine =
        access.value + std::size_t{lane} * access.bytes + (address - access.address[lane]);
    const bool is_same_instruction = other.pc == me.pc && other.when.block == me.when.block &&
                                     other.when.warp == me.when.warp && other.when.time == me.when.time &&
                                     (access.lanes >> other.when.lane & 1) != 0;
    if (is_same_instruction) {
      const std::uint64_t start = access.address[other.when.lane];
      if (start <= address && address < start + access.bytes) {
        const std::byte* theirs =
            access.value + std::size_t{other.when.lane} * access.bytes + (address - start);
        return std::memcmp(mine, theirs, length) == 0;
      }
    }
    return std::memcmp(mine, reinterpret_cast<const void*>(address), length) == 0;
  }
  void enter_whole(ShadowLine& line, GlobalStamp stamp) {
    RaceCell<GlobalStamp> cell{line.whole[0], line.whole[1], line.whole[2], line.whole[3]};
    enter(cell, stamp, me, is_write, *this);
    line.whole[0] = cell.write;
    line.whole[1] = cell.other_write;
    line.whole[2] = cell.read;
    line.whole[3] = cell.other_read;
  }
};

GlobalRaces::GlobalRaces(GlobalShadow& shadow, machine::PcRange reach, std::uint32_t slots)
    : shadow_(shadow),
      reach_(reach),
      table_(shadow.add_segments()),
      current_(slots),
      last_region_(reach.size()) {}

void GlobalRaces::begin(const machine::BlockContext& block) {
  current_[block.slot].assign(block.warps, Current{});
}

GlobalStamp GlobalRaces::stamp_of(const BlockOrder& order, const WarpContext& warp, const Access& access) {
  Current& current = current_[warp.block->slot][warp.warp];
  if (current.epoch != order.epoch() || current.time != order.time(warp.warp)) {
    current.epoch = order.epoch();
    current.time = order.time(warp.warp);
    const std::uint64_t index =
        shadow_.segments(table_).add({order.block(), current.epoch, current.time, warp.warp});
    // Tables count from 0, and so do segments, lanes and pcs: the spare flag keeps every stamp from being 0.
    current.stamp = (std::uint64_t{table_} << table_shift | index) << segment_shift | never_zero;
  }
  const bool is_strong = access.ordering != machine::Ordering::weak || access.kind == AccessKind::atomic ||
                         access.kind == AccessKind::reduction;
  const GlobalStamp pc = reach_.index_of(access.pc) & ((1u << pc_bits) - 1);
  return current.stamp | pc << pc_shift | (is_strong ? strong_flag : 0) |
         (access.scope == machine::Scope::cta ? block_scope_flag : 0);
}

ShadowRegion& GlobalRaces::region_of(machine::Pc pc, const Allocation& allocation) {
  auto& [last, region] = last_region_[reach_.index_of(pc)];
  if (last != &allocation) {
    region = &shadow_.region_of(allocation);
    last = &allocation;
  }
  return *region;
}

RaceCell<GlobalStamp>* GlobalRaces::new_cells() {
  const std::size_t cells = line_bytes / shadow_.granule();
  if (arena_.empty() || arena_used_ == arena_chunk_lines) {
    if (!shadow_.take_cells(cells * arena_chunk_lines * sizeof(RaceCell<GlobalStamp>))) return nullptr;
    arena_.push_back(std::make_unique<RaceCell<GlobalStamp>[]>(cells * arena_chunk_lines));
    arena_used_ = 0;
  }
  return arena_.back().get() + cells * arena_used_++;
}

/// One cell a granule from now on; what the whole line was goes into each. nullptr where there is no room:
/// the access is not remembered.
RaceCell<GlobalStamp>* GlobalRaces::split(ShadowLine& line) {
  if (line.cells != nullptr) return line.cells;
  line.cells = new_cells();
  if (line.cells == nullptr) return nullptr;
  const std::uint32_t cells = static_cast<std::uint32_t>(line_bytes / shadow_.granule());
  for (std::uint32_t i = 0; i < cells && line.lane_bytes != 0; ++i) {
    const std::uint32_t lanes_further = i * shadow_.granule() / line.lane_bytes;
    const auto of_lane = [&](GlobalStamp whole) {
      if (whole == 0) return whole;
      return with_lane(whole, static_cast<std::uint32_t>(whole & lane_mask) + lanes_further);
    };
    line.cells[i] = {of_lane(line.whole[0]), of_lane(line.whole[1]), of_lane(line.whole[2]),
                     of_lane(line.whole[3])};
  }
  return line.cells;
}

std::optional<Race> GlobalRaces::check(BlockOrder& order, const WarpContext& warp, const Access& access,
                                       AccessShape shape) {
  if (access.lanes == 0) return std::nullopt;
  const GlobalStamp stamp = stamp_of(order, warp, access);
  Visit visit{shadow_, reach_, order, access, access.kind != AccessKind::load};
  visit.me = {order.now(warp.warp, 0), access.pc, (stamp & strong_flag) != 0, (stamp & block_scope_flag) != 0,
              false};

  const bool is_whole_lines = shape == AccessShape::consecutive && access.lanes == all_lanes &&
                              access.bytes >= 4 && access.bytes <= 16 && access.address[0] % line_bytes == 0;
  LaneMask lanes = access.lanes;
  if (is_whole_lines) {
    ShadowRegion& region = region_of(access.pc, *access.allocation[0]);
    const auto lanes_per_line = static_cast<std::uint32_t>(line_bytes / access.bytes);
    for (std::uint32_t lane = 0; lane < warp_size; lane += lanes_per_line) {
      ShadowLine& line = region.line_of(access.address[lane]);
      const LineLock lock(line);
      if (line.cells != nullptr || (line.lane_bytes != 0 && line.lane_bytes != access.bytes)) continue;
      // Lines of one shape begin with the same lane, or in another access of as many bytes with another.
      const GlobalStamp any = line.whole[0] | line.whole[1] | line.whole[2] | line.whole[3];
      if (any != 0 && (any & lane_mask) != lane) continue;
      line.lane_bytes = access.bytes;
      visit.me.when.lane = lane;
      visit.address = access.address[lane];
      visit.length = line_bytes;
      visit.enter_whole(line, stamp | lane);
      lanes &= lanes_per_line == warp_size ? 0 : ~(((LaneMask{1} << lanes_per_line) - 1) << lane);
    }
    if (lanes == 0) return visit.race;
  }

  visit.length = shadow_.granule();
  const bool is_same_for_all =
      shape == AccessShape::uniform && (access.kind == AccessKind::load || access.value == nullptr);
  if (is_same_for_all) {
    // Of many lanes that do the same to one word, two are enough to find whatever conflicts with any.
    const std::uint32_t last = warp_size - 1 - static_cast<std::uint32_t>(std::countl_zero(lanes));
    lanes = machine::lane_bit(lowest(lanes)) | machine::lane_bit(last);
  }
  while (lanes != 0) {
    // Lanes of one line, one after the other, under one lock.
    const std::uint64_t line_number = access.address[lowest(lanes)] / line_bytes;
    ShadowLine& line =
        region_of(access.pc, *access.allocation[lowest(lanes)]).line_of(access.address[lowest(lanes)]);
    const LineLock lock(line);
    RaceCell<GlobalStamp>* cells = split(line);
    if (cells == nullptr) {
      while (lanes != 0 && access.address[lowest(lanes)] / line_bytes == line_number) lanes &= lanes - 1;
      continue;
    }
    for (; lanes != 0 && access.address[lowest(lanes)] / line_bytes == line_number; lanes &= lanes - 1) {
      const std::uint32_t lane = lowest(lanes);
      visit.me.when.lane = lane;
      for (std::uint32_t byte = 0; byte < access.bytes; byte += shadow_.granule()) {
        visit.address = access.address[lane] + byte;
        enter(cells[visit.address % line_bytes / shadow_.granule()], stamp | lane, visit.me, visit.is_write,
              visit);
      }
    }
  }
  return visit.race;
}

}  // namespace warpwise::simulator
