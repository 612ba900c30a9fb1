#include "frame.hpp"

#include <algorithm>
#include <cstring>

namespace warpwise::simulator::run {

void fill_row(std::byte* rows, Row row, Width width, std::uint64_t bits) {
  switch (width) {
    case Width::pred:
      *row_of<LaneMask>(rows, row) = bits != 0 ? all_lanes : 0;
      break;
    case Width::b32:
      std::fill_n(row_of<std::uint32_t>(rows, row), warp_size, static_cast<std::uint32_t>(bits));
      break;
    case Width::b64:
      std::fill_n(row_of<std::uint64_t>(rows, row), warp_size, bits);
      break;
    case Width::b128:
      std::fill_n(row_of<std::uint64_t>(rows, row), warp_size, bits);
      std::fill_n(row_of<std::uint64_t>(rows, row) + warp_size, warp_size, 0);
      break;
  }
}

void fill_cell(std::byte* rows, Row row, Width width, std::uint32_t lane, std::uint64_t bits) {
  switch (width) {
    case Width::pred: {
      LaneMask& mask = *row_of<LaneMask>(rows, row);
      mask = bits != 0 ? mask | lane_bit(lane) : mask & ~lane_bit(lane);
      break;
    }
    case Width::b32:
      row_of<std::uint32_t>(rows, row)[lane] = static_cast<std::uint32_t>(bits);
      break;
    case Width::b64:
      row_of<std::uint64_t>(rows, row)[lane] = bits;
      break;
    case Width::b128:
      row_of<std::uint64_t>(rows, row)[lane] = bits;
      row_of<std::uint64_t>(rows, row)[warp_size + lane] = 0;
      break;
  }
}

Shadow& Frame::make_shadow() {
  if (shadow == nullptr) shadow = std::make_unique<Shadow>(function->layout);
  undefined = shadow.get();
  return *shadow;
}

void Frame::leave_unset(LaneMask of) {
  for (const FrameLayout::Unset& row : function->layout.unset)
    make_shadow().undefine(row.row, row.width, of, not_read_yet);
}

void Frame::forget_undefined() {
  if (undefined != nullptr) undefined->clear();
  undefined = nullptr;
}

Frame* FramePool::take(std::uint32_t function) {
  if (!free_[function].empty()) {
    Frame* frame = free_[function].back();
    free_[function].pop_back();
    frame->forget_undefined();
    return frame;
  }
  const DecodedFunction& decoded = code_.functions[function];
  const std::size_t bytes = std::max<std::size_t>(decoded.layout.bytes, 64);
  storage_.emplace_back(new (std::align_val_t{64}) std::byte[bytes]);
  Frame* frame = all_.emplace_back(std::make_unique<Frame>()).get();
  frame->rows = storage_.back().get();
  std::memset(frame->rows, 0, bytes);
  frame->function = &decoded;
  frame->index = function;
  for (const FrameLayout::Immediate& immediate : decoded.layout.immediates)
    fill_row(frame->rows, immediate.row, immediate.width, immediate.bits);
  return frame;
}

}  // namespace warpwise::simulator::run
