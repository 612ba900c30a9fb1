#include "undefined_values.hpp"

#include <algorithm>
#include <cstring>

namespace warpwise::simulator::run {

// The shadow of a frame.

namespace {

template <class Cell>
LaneMask lanes_with_bits(const Cell* cells) {
  LaneMask lanes = 0;
  for (std::uint32_t i = 0; i < warp_size; ++i) lanes |= LaneMask{cells[i] != 0} << i;
  return lanes;
}

}  // namespace

void set_cell(std::byte* rows, Row row, Width width, std::uint32_t lane, std::uint64_t value) {
  switch (width) {
    case Width::pred: {
      LaneMask& mask = *row_of<LaneMask>(rows, row);
      mask = value != 0 ? mask | lane_bit(lane) : mask & ~lane_bit(lane);
      return;
    }
    case Width::b32:
      row_of<std::uint32_t>(rows, row)[lane] = static_cast<std::uint32_t>(value);
      return;
    case Width::b128:
      row_of<std::uint64_t>(rows, row)[warp_size + lane] = value;
      [[fallthrough]];
    case Width::b64:
      row_of<std::uint64_t>(rows, row)[lane] = value;
  }
}

Shadow::Shadow(const FrameLayout& layout)
    : frame_bytes_(layout.bytes),
      bits_((layout.bytes + max_rows * widest_row) / sizeof(std::uint64_t)),
      origins_(layout.bytes / row_unit + warp_size),
      is_held_(layout.bytes / row_unit + 1),
      has_held_(layout.bytes / part_bytes + 1) {}

void Shadow::clear() {
  if (is_empty()) return;
  for (std::size_t part = 0; part < has_held_.size(); ++part) {
    if (!has_held_[part]) continue;
    const std::size_t start = part * part_bytes;
    std::memset(bits() + start, 0, std::min<std::size_t>(part_bytes, frame_bytes_ - start));
  }
  is_held_.assign(is_held_.size(), false);
  has_held_.assign(has_held_.size(), false);
  rows_ = 0;
}

LaneMask Shadow::lanes(Row row, Width width) {
  switch (width) {
    case Width::pred:
      return *row_of<LaneMask>(bits(), row);
    case Width::b32:
      return lanes_with_bits(row_of<std::uint32_t>(bits(), row));
    case Width::b64:
      return lanes_with_bits(row_of<std::uint64_t>(bits(), row));
    case Width::b128:
      break;
  }
  const auto* halves = row_of<std::uint64_t>(bits(), row);
  return lanes_with_bits(halves) | lanes_with_bits(halves + warp_size);
}

void Shadow::define(Row row, Width width, LaneMask lanes) {
  if (!holds(row)) return;
  for (const std::uint32_t lane : lanes_in(lanes)) set_cell(bits(), row, width, lane, 0);
  settle(row, width);
}

void Shadow::undefine(Row row, Width width, LaneMask lanes, OriginId origin) {
  for (const std::uint32_t lane : lanes_in(lanes)) {
    set_cell(bits(), row, width, lane, ~std::uint64_t{0});
    set_origin(row, width, lane, origin);
  }
  settle(row, width);
}

bool Shadow::is_undefined(const LanePlace& place, std::uint32_t lane) {
  const std::byte* first = bits() + place.start + std::size_t{lane} * place.stride;
  return std::any_of(first, first + place.bytes, [](std::byte each) { return each != std::byte{0}; });
}

void Shadow::settle(const LanePlace& place) {
  bool holds = false;
  for (std::uint32_t lane = 0; lane < warp_size && !holds; ++lane) holds = is_undefined(place, lane);
  hold(place.start, (warp_size - 1) * place.stride + place.bytes, holds);
}

void Shadow::define(const LanePlace& place, LaneMask lanes) {
  if (!holds(place.start)) return;
  for (const std::uint32_t lane : lanes_in(lanes))
    std::memset(bits() + place.start + std::size_t{lane} * place.stride, 0, place.bytes);
  settle(place);
}

void Origins::clear() {
  origins_.clear();
  by_pc_.clear();
}

OriginId Origins::add(const UndefinedOrigin& origin) {
  const auto next = static_cast<OriginId>(origins_.size() + 1);
  const auto [at, is_new] = by_pc_.try_emplace(origin.pc, next);
  if (is_new) origins_.push_back(origin);
  return at->second;
}

void UndefinedMemory::begin(const BlockContext& block) {
  const LaunchContext& launch = *block.launch;
  written.begin(launch.shared_bytes, launch.reserved_shared_bytes, block.threads);
  origins.clear();
  shared_bytes_ = launch.shared_bytes;
  in_local_.clear();
  if (++block_ != 0) return;
  in_shared_.clear();  // 2^32 blocks: begin anew
  block_ = 1;
}

void UndefinedMemory::set_stored(const WarpContext& warp, const Access& access, std::uint32_t lane,
                                 std::uint32_t byte, StoredByte stored) {
  if (access.space != ptx::Space::shared) {
    in_local_[key_of(warp, access, lane, byte)] = stored;
    return;
  }
  if (in_shared_.size() < shared_bytes_) in_shared_.resize(shared_bytes_);
  const std::uint64_t at = access.address[lane] + byte;
  if (at < in_shared_.size()) in_shared_[at] = {stored, block_};
}

const StoredByte* UndefinedMemory::stored(const WarpContext& warp, const Access& access, std::uint32_t lane,
                                          std::uint32_t byte) const {
  if (access.space == ptx::Space::global) return nullptr;
  if (access.space == ptx::Space::shared) {
    const std::uint64_t at = access.address[lane] + byte;
    return at < in_shared_.size() && in_shared_[at].block == block_ ? &in_shared_[at].stored : nullptr;
  }
  const auto at = in_local_.find(key_of(warp, access, lane, byte));
  return at == in_local_.end() ? nullptr : &at->second;
}

/// The thread's number, and a place in its local memory.
std::uint64_t UndefinedMemory::key_of(const WarpContext& warp, const Access& access, std::uint32_t lane,
                                      std::uint32_t byte) {
  const std::uint64_t thread = std::uint64_t{warp.warp} * warp_size + lane;
  return thread << 32 | (access.address[lane] + byte);
}

/// Whoever computes first with a register that nobody has set is where the finding belongs.
OriginId UndefinedValues::resolved(Shadow& shadow, Pc pc, Row row, Width width, std::uint32_t lane) {
  const OriginId known = shadow.origin(row, width, lane);
  if (known != not_read_yet) return known;
  UndefinedOrigin first;
  first.pc = pc;
  first.is_register = true;
  first.thread = warp_.warp * warp_size + lane;
  const OriginId origin = memory_.origins.add(first);
  shadow.set_origin(row, width, lane, origin);
  return origin;
}

void UndefinedValues::report(Pc pc, ValueUse use, LaneMask lanes, OriginId origin) {
  observers_.on_undefined_use(warp_, UndefinedUse{pc, use, lanes, memory_.origins.at(origin)});
}

LaneMask UndefinedValues::use(Frame& frame, Pc pc, Row row, Width width, LaneMask lanes, ValueUse use) {
  Shadow& shadow = *frame.undefined;
  if (!shadow.holds(row)) return 0;
  const LaneMask undefined = lanes & shadow.lanes(row, width);
  const auto origin_of = [&](std::uint32_t lane) {
    return resolved(shadow, pc, row, width, lane) & ~origin_flags;
  };
  for_each_agreeing(undefined, origin_of,
                    [&](LaneMask same) { report(pc, use, same, origin_of(lowest_lane(same))); });
  return undefined;
}

}  // namespace warpwise::simulator::run
