#include "frame.hpp"

#include <algorithm>
#include <cstring>

namespace warpwise::simulator::run {

namespace {

template <class Cell>
LaneMask lanes_with_bits(const Cell* cells) {
  LaneMask lanes = 0;
  for (std::uint32_t i = 0; i < warp_size; ++i) lanes |= LaneMask{cells[i] != 0} << i;
  return lanes;
}

}  // namespace

std::uint64_t cell_in(const std::byte* rows, Row row, Width width, std::uint32_t lane, std::uint32_t half) {
  const std::byte* at = rows + row;
  switch (width) {
    case Width::pred:
      return *reinterpret_cast<const LaneMask*>(at) >> lane & 1;
    case Width::b32:
      return reinterpret_cast<const std::uint32_t*>(at)[lane];
    default:
      return reinterpret_cast<const std::uint64_t*>(at)[half * warp_size + lane];
  }
}

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

}  // namespace warpwise::simulator::run
