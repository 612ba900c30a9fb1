#include "races.hpp"

#include <algorithm>
#include <bit>

namespace warpwise::simulator::observe {

SegmentTable::~SegmentTable() {
  for (const std::atomic<Segment*>& chunk : chunks_) delete[] chunk.load();
}

std::uint64_t SegmentTable::add(const Segment& segment) {
  const std::uint64_t index = size_++ % capacity;
  const Place place = place_of(index);
  std::atomic<Segment*>& chunk = chunks_[place.chunk];
  if (chunk.load(std::memory_order_relaxed) == nullptr) {
    const std::uint64_t segments = place.chunk == 0 ? first_chunk : first_chunk << (place.chunk - 1);
    chunk.store(new Segment[segments], std::memory_order_release);
  }
  chunk.load(std::memory_order_relaxed)[place.index] = segment;
  return index;
}

const Segment& SegmentTable::at(std::uint64_t index) const {
  const Place place = place_of(index);
  return chunks_[place.chunk].load(std::memory_order_acquire)[place.index];
}

ShadowRegion::ShadowRegion(const Allocation& allocation)
    : base_(allocation.base / line_bytes * line_bytes),
      lines_(((allocation.base + allocation.bytes - base_) / line_bytes + 1) * sizeof(ShadowLine)) {}

ShadowRegion& GlobalShadow::region_of(const Allocation& allocation) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<ShadowRegion>& region = regions_[&allocation];
  if (!region) region = std::make_unique<ShadowRegion>(allocation);
  return *region;
}

void LastStore::set(const Moment& when, const Access& access) {
  const std::lock_guard lock(mutex_);
  when_ = when;
  pc_ = access.pc;
  lanes_ = access.lanes;
  bytes_ = access.bytes;
  std::copy_n(access.address, warp_size, address_.begin());
  std::copy_n(access.value, warp_size * access.bytes, value_.begin());
}

bool LastStore::stores(const Touch& other, std::uint64_t address, const std::byte* value,
                       std::uint64_t length) const {
  const std::lock_guard lock(mutex_);
  if (other.pc != pc_ || other.when.block != when_.block || other.when.epoch != when_.epoch ||
      other.when.time != when_.time || other.when.warp != when_.warp)
    return false;
  for (std::uint32_t lane = other.when.lane; length != 0; ++lane) {
    if (lane == warp_size || (lanes_ >> lane & 1) == 0 || address - address_[lane] >= bytes_) return false;
    const std::uint64_t offset = address - address_[lane], here = std::min(length, bytes_ - offset);
    if (!std::equal(value, value + here, value_.data() + std::size_t{lane} * bytes_ + offset)) return false;
    address += here, value += here, length -= here;
  }
  return true;
}

std::uint32_t GlobalShadow::add_host_thread() {
  segments_.push_back(std::make_unique<SegmentTable>());
  last_stores_.push_back(std::make_unique<LastStore>());
  return static_cast<std::uint32_t>(segments_.size() - 1);
}

namespace {

constexpr GlobalStamp lane_mask = warp_size - 1;
constexpr GlobalStamp never_zero = 1u << 6;
/// Of a strong access one of these is set or both: both where it is of block scope.
constexpr GlobalStamp one_word_flag = 1u << 5, several_words_flag = 1u << 7;
constexpr GlobalStamp strength_mask = one_word_flag | several_words_flag;
constexpr std::uint32_t pc_shift = 8, pc_bits = 19;
constexpr std::uint32_t segment_shift = pc_shift + pc_bits;
constexpr std::uint32_t table_shift = 29;  // of the segment: index below, table above

constexpr std::size_t arena_chunk_cells = 2048;
constexpr std::uint64_t widest_cell = 16;

/// What ShadowLine::extent says of a cell: the offset of its bytes (4 bits) and their number less 1, or one
/// of two that are neither.
constexpr std::uint8_t no_extent = 0xFE, in_pieces = 0xFD;
/// Of a cell that is `in_pieces`: `write` is no stamp, but says where they are.
RaceCell<GlobalStamp>* pieces_of(const RaceCell<GlobalStamp>& cell) {
  return reinterpret_cast<RaceCell<GlobalStamp>*>(cell.write);
}
void set_pieces(RaceCell<GlobalStamp>& cell, RaceCell<GlobalStamp>* pieces) {
  cell.write = reinterpret_cast<GlobalStamp>(pieces);
}
std::uint8_t extent_of(std::uint64_t offset, std::uint64_t bytes) {
  return static_cast<std::uint8_t>(offset << 4 | (bytes - 1));
}

void set_strength(Touch& touch, GlobalStamp stamp) {
  const GlobalStamp strength = stamp & strength_mask;
  touch.is_strong = strength != 0;
  touch.is_block_scope = strength == strength_mask;
  touch.is_of_several_words = strength == several_words_flag;
}

GlobalStamp with_lane(GlobalStamp stamp, std::uint32_t lane) { return (stamp & ~lane_mask) | lane; }

}  // namespace

/// One access on its way through the cells: what enter() asks for.
struct GlobalRaces::Visit {
  GlobalShadow& shadow;
  const StrongUses& uses;
  PcRange reach;
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
    set_strength(touch, stamp);
    return touch;
  }
  bool is_ordered(const Touch& other) const {
    if (order.is_ordered(other.when, me.when.warp, me.when.lane)) return true;
    return other.is_strong &&
           order.is_ordered_by_flag(other.when, access.space, address, me.when, me.is_strong);
  }
  bool is_ordered_quickly(const Touch& other) const {
    if (other.when.block != me.when.block) return false;
    if (other.when.epoch < me.when.epoch) return true;
    return other.when.warp == me.when.warp && other.when.time < me.when.time && is_ordered(other);
  }
  const std::byte* value_of_me() const {
    return access.value + std::size_t{me.when.lane} * access.bytes + (address - access.address[me.when.lane]);
  }
  void on_race(const Touch& other, bool other_writes) {
    if (race) return;
    std::uint64_t where = address;
    if (other_writes && is_write && access.value != nullptr) {
      // Two threads that store the same value do no harm, whoever comes first. What the other stored is in
      // memory, or will be in a moment, since host threads run side by side.
      const auto* const there = reinterpret_cast<const std::byte*>(address);
      if (first_difference(access, me, other, address, length, there) == length) return;
      for (std::uint32_t i = 0; i < shadow.host_threads(); ++i)
        if (other.when.block != me.when.block &&
            shadow.last_store(i).stores(other, address, value_of_me(), length))
          return;
      // A store that is not its host thread's last one any more is in memory by now.
      const std::uint64_t difference = first_difference(access, me, other, address, length, there);
      if (difference == length) return;
      // Of a whole line, lane and address stand for its first bytes, both.
      if (length <= access.bytes) where += difference / shadow.granule() * shadow.granule();
    }
    race = Race{other, me, other_writes, is_write, where};
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

GlobalRaces::GlobalRaces(GlobalShadow& shadow, const StrongUses& uses, PcRange reach, std::uint32_t slots)
    : shadow_(shadow),
      uses_(uses),
      reach_(reach),
      host_thread_(shadow.add_host_thread()),
      current_(slots),
      last_region_(reach.size()) {}

void GlobalRaces::begin(const BlockContext& block) { current_[block.slot].assign(block.warps, Current{}); }

GlobalStamp GlobalRaces::stamp_of(const BlockOrder& order, const WarpContext& warp, const Access& access,
                                  AccessShape shape) {
  Current& current = current_[warp.block->slot][warp.warp];
  if (current.epoch != order.epoch() || current.time != order.time(warp.warp)) {
    current.epoch = order.epoch();
    current.time = order.time(warp.warp);
    const std::uint64_t index =
        shadow_.segments(host_thread_).add({order.block(), current.epoch, current.time, warp.warp});
    // Tables count from 0, and so do segments, lanes and pcs: the spare flag keeps every stamp from being 0.
    current.stamp = (std::uint64_t{host_thread_} << table_shift | index) << segment_shift | never_zero;
  }
  const GlobalStamp pc = reach_.index_of(access.pc) & ((1u << pc_bits) - 1);
  GlobalStamp strength = 0;
  if (access.scope == Scope::cta)
    strength = strength_mask;
  else if (access.ordering != Ordering::weak)
    strength = shape == AccessShape::uniform ? one_word_flag : several_words_flag;
  return current.stamp | pc << pc_shift | strength;
}

ShadowRegion& GlobalRaces::region_of(Pc pc, const Allocation& allocation) {
  auto& [last, region] = last_region_[reach_.index_of(pc)];
  if (last != &allocation) {
    region = &shadow_.region_of(allocation);
    last = &allocation;
  }
  return *region;
}

/// The size of cells that suits an access: its own, 4 to 16; of one or two bytes a granule where the lanes
/// are neighbours (an array), else 8 (probably a member of a structure, beside others).
std::uint32_t GlobalRaces::cell_bytes_for(const Access& access, AccessShape shape) const {
  const std::uint32_t bytes = 1u << std::countr_zero(access.bytes | widest_cell);
  if (bytes >= 4) return bytes;
  return shape == AccessShape::consecutive || shadow_.granule() == 4 ? shadow_.granule() : 8;
}

RaceCell<GlobalStamp>* GlobalRaces::new_cells(std::size_t count) {
  if (arena_.empty() || arena_used_ + count > arena_chunk_cells) {
    if (!shadow_.take_cells(arena_chunk_cells * sizeof(RaceCell<GlobalStamp>))) return nullptr;
    arena_.push_back(std::make_unique<RaceCell<GlobalStamp>[]>(arena_chunk_cells));
    arena_used_ = 0;
  }
  RaceCell<GlobalStamp>* const cells = arena_.back().get() + arena_used_;
  arena_used_ += count;
  return cells;
}

/// Into cells of about `cell_bytes` from now on; what the whole line was goes into each. False where there is
/// no room: the access is not remembered.
bool GlobalRaces::split(ShadowLine& line, std::uint32_t cell_bytes) {
  if (line.cells != nullptr) return true;
  const bool is_empty = line.lane_bytes == 0;
  if (!is_empty) cell_bytes = std::min<std::uint32_t>(cell_bytes, line.lane_bytes);
  const std::uint32_t count = static_cast<std::uint32_t>(line_bytes) / cell_bytes;
  line.cells = new_cells(count);
  if (line.cells == nullptr) return false;
  for (std::uint32_t i = 0; i < count && !is_empty; ++i) {
    const std::uint32_t lanes_further = i * cell_bytes / line.lane_bytes;
    const auto of_lane = [&](GlobalStamp whole) {
      if (whole == 0) return whole;
      return with_lane(whole, static_cast<std::uint32_t>(whole & lane_mask) + lanes_further);
    };
    line.cells[i] = {of_lane(line.whole[0]), of_lane(line.whole[1]), of_lane(line.whole[2]),
                     of_lane(line.whole[3])};
  }
  line.cell_bytes = static_cast<std::uint8_t>(cell_bytes);
  std::fill(std::begin(line.extent), std::end(line.extent), is_empty ? no_extent : extent_of(0, cell_bytes));
  return true;
}

/// Bytes [start, end) of one cell.
void GlobalRaces::enter_cell(Visit& visit, ShadowLine& line, std::uint64_t start, std::uint64_t end,
                             GlobalStamp stamp) {
  const std::uint64_t granule = shadow_.granule();
  const std::size_t index = start % line_bytes / line.cell_bytes;
  const std::uint64_t first = start / line.cell_bytes * line.cell_bytes;
  RaceCell<GlobalStamp>& cell = line.cells[index];
  visit.address = start;
  visit.length = end - start;
  if (line.cell_bytes == granule) return enter(cell, stamp, visit.me, visit.is_write, visit);
  std::uint8_t& extent = line.extent[index];
  if (extent == no_extent) extent = extent_of(start - first, end - start);
  if (extent == extent_of(start - first, end - start))
    return enter(cell, stamp, visit.me, visit.is_write, visit);
  if (extent != in_pieces) {
    RaceCell<GlobalStamp>* const pieces = new_cells(line.cell_bytes / granule);
    if (pieces == nullptr) return;  // as in split(): not remembered, and not compared either
    std::fill_n(pieces + (extent >> 4) / granule, (extent % 16 + 1) / granule, cell);
    set_pieces(cell, pieces);
    extent = in_pieces;
  }
  RaceCell<GlobalStamp>* const pieces = pieces_of(cell);
  visit.length = granule;
  for (; visit.address < end; visit.address += granule)
    enter(pieces[(visit.address - first) / granule], stamp, visit.me, visit.is_write, visit);
}

std::optional<Race> GlobalRaces::check(BlockOrder& order, const WarpContext& warp, const Access& access,
                                       AccessShape shape) {
  if (access.lanes == 0) return std::nullopt;
  const GlobalStamp stamp = stamp_of(order, warp, access, shape);
  Visit visit{shadow_, uses_, reach_, order, access, access.kind != AccessKind::load};
  visit.me.when = order.now(warp.warp, 0);
  visit.me.pc = access.pc;
  set_strength(visit.me, stamp);
  if (access.value != nullptr && shadow_.host_threads() > 1)
    shadow_.last_store(host_thread_).set(visit.me.when, access);

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

  const bool is_same_for_all =
      shape == AccessShape::uniform && (access.kind == AccessKind::load || access.value == nullptr);
  if (is_same_for_all) {
    // Of many lanes that do the same to one word, two are enough to find whatever conflicts with any.
    const std::uint32_t last = warp_size - 1 - static_cast<std::uint32_t>(std::countl_zero(lanes));
    lanes = lane_bit(lowest_lane(lanes)) | lane_bit(last);
  }
  const std::uint32_t cell_bytes = cell_bytes_for(access, shape);
  while (lanes != 0) {
    // Lanes of one line, one after the other, under one lock.
    const std::uint64_t line_number = access.address[lowest_lane(lanes)] / line_bytes;
    ShadowLine& line = region_of(access.pc, *access.allocation[lowest_lane(lanes)])
                           .line_of(access.address[lowest_lane(lanes)]);
    const LineLock lock(line);
    const auto is_in_line = [&] {
      return lanes != 0 && access.address[lowest_lane(lanes)] / line_bytes == line_number;
    };
    if (!split(line, cell_bytes)) {
      while (is_in_line()) lanes &= lanes - 1;
      continue;
    }
    for (; is_in_line(); lanes &= lanes - 1) {
      const std::uint32_t lane = lowest_lane(lanes);
      // Whole granules: of an asynchronous copy that ends early, a load may be smaller than any of the
      // program's.
      const std::uint64_t granule = shadow_.granule();
      const std::uint64_t start = access.address[lane] / granule * granule;
      const std::uint64_t end = (access.address[lane] + access.bytes + granule - 1) / granule * granule;
      visit.me.when.lane = lane;
      for (std::uint64_t at = start, next; at < end; at = next) {
        next = std::min(end, (at / line.cell_bytes + 1) * line.cell_bytes);
        enter_cell(visit, line, at, next, stamp | lane);
      }
    }
  }
  return visit.race;
}

}  // namespace warpwise::simulator::observe
