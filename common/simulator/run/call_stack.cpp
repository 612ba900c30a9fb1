#include "call_stack.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace warpwise::simulator::run {

namespace {

constexpr std::uint32_t max_depth = 512;
constexpr std::uint32_t max_local_bytes = 1 << 20;  // a lane

void copy_bytes(std::byte* to_rows, const LanePlace& to, const std::byte* from_rows, const LanePlace& from,
                LaneMask lanes) {
  const std::uint32_t bytes = std::min(to.bytes, from.bytes);
  for (const std::size_t lane : lanes_in(lanes))
    std::memcpy(to_rows + to.start + lane * to.stride, from_rows + from.start + lane * from.stride, bytes);
}

/// What is undefined of it goes along.
void copy_place(Frame& to_frame, const LanePlace& to, Frame& from_frame, const LanePlace& from,
                LaneMask lanes) {
  copy_bytes(to_frame.rows, to, from_frame.rows, from, lanes);
  if (from_frame.undefined == nullptr || !from_frame.undefined->holds(from.start)) {
    if (to_frame.undefined != nullptr) to_frame.undefined->define(to, lanes);
  } else {
    Shadow &source = *from_frame.undefined, &target = to_frame.make_shadow();
    copy_bytes(target.bits(), to, source.bits(), from, lanes);
    for (const std::uint32_t lane : lanes_in(lanes)) target.origin(to, lane) = source.origin(from, lane);
    target.settle(to);
  }
  to_frame.settle();
}

}  // namespace

Frame& CallStack::begin(LaneMask lanes) {
  const bool is_first_block = frames_.empty();
  if (is_first_block) frames_.push_back(pool_.take(launch_.kernel));
  Frame& frame = *frames_.front();
  frame.lanes = lanes;
  local_bytes_ = frame.function->layout.local_bytes;
  local_.assign(std::size_t{local_bytes_} * warp_size, poison);
  if (is_first_block) {
    frame.depth = 0;
    std::fill_n(frame.local_base, warp_size, 0);
    fill_frame(frame, launch_, warp_);
  } else {
    refill_frame(frame, warp_);
    frame.forget_undefined();
  }
  frame.is_watched = observers_.on_operands.is_wanted();
  if (follows_values()) frame.leave_unset(lanes);
  return frame;
}

void CallStack::end() {
  for (std::size_t i = 1; i < frames_.size(); ++i) pool_.give(frames_[i]);
  frames_.resize(1);
}

Frame& CallStack::frame_of(std::uint32_t function, std::uint32_t depth) {
  for (Frame* frame : frames_)
    if (frame->depth == depth && frame->index == function) return *frame;
  Frame& frame = *frames_.emplace_back(pool_.take(function));
  frame.depth = depth;
  frame.lanes = 0;
  frame.is_watched = observers_.on_operands.is_wanted();
  fill_frame(frame, launch_, warp_);
  return frame;
}

/// Keeps what the lanes have in their local memory.
void CallStack::grow_local(std::uint32_t needed) {
  if (needed <= local_bytes_) return;
  const std::uint32_t bytes = std::max(needed, std::min(max_local_bytes, 2 * local_bytes_));
  std::vector<std::byte> grown(std::size_t{bytes} * warp_size, poison);
  for (std::size_t lane = 0; lane < warp_size; ++lane)
    std::copy_n(local_.data() + lane * local_bytes_, local_bytes_, grown.data() + lane * bytes);
  local_ = std::move(grown);
  local_bytes_ = bytes;
}

/// The function's local variables, poisoned, begin at `base` of the lane's memory.
void CallStack::place_locals(Frame& frame, std::uint32_t lane, std::uint32_t base) {
  const FrameLayout& layout = frame.function->layout;
  frame.local_base[lane] = base;
  std::fill_n(local_.data() + std::size_t{lane} * local_bytes_ + base, layout.local_bytes, poison);
  for (const FrameLayout::AddressRow& address : layout.local_addresses) {
    const std::uint64_t value = base + static_cast<std::uint64_t>(address.offset);
    if (address.width == Width::b64)
      row_of<std::uint64_t>(frame.rows, address.row)[lane] = value;
    else
      row_of<std::uint32_t>(frame.rows, address.row)[lane] = static_cast<std::uint32_t>(value);
  }
}

Frame* CallStack::enter(Frame& caller, const Call& call, std::uint32_t function, Pc return_pc,
                        LaneMask lanes) {
  const DecodedFunction& decoded = launch_.code.functions[function];
  std::uint32_t base = 0;
  for (const std::uint32_t lane : lanes_in(lanes)) base = std::max(base, caller.local_base[lane]);
  base += caller.function->layout.local_bytes;
  const std::uint32_t top = base + decoded.layout.local_bytes;
  if (caller.depth + 1 > max_depth || top > max_local_bytes) return nullptr;
  Frame& frame = frame_of(function, caller.depth + 1);
  frame.lanes |= lanes;
  grow_local(top);
  for (const std::uint32_t lane : lanes_in(lanes)) {
    frame.caller[lane] = &caller;
    frame.call[lane] = &call;
    frame.return_pc[lane] = return_pc;
    place_locals(frame, lane, base);
  }
  if (follows_values()) frame.leave_unset(lanes);
  for (std::size_t i = 0; i < decoded.formals.size(); ++i)
    copy_place(frame, decoded.formals[i], caller, call.arguments[i], lanes);
  return &frame;
}

CallStack::Return CallStack::leave(Frame& frame, LaneMask lanes) {
  const std::uint32_t first = lowest_lane(lanes);
  const LaneMask same = agreeing(
      lanes, [&](std::uint32_t lane) { return std::pair(frame.caller[lane], frame.return_pc[lane]); });
  const Return result{frame.caller[first], frame.return_pc[first], same};
  const Call& call = *frame.call[first];
  const std::size_t results = std::min(call.results.size(), frame.function->returns.size());
  for (std::size_t i = 0; i < results; ++i)
    copy_place(*result.caller, call.results[i], frame, frame.function->returns[i], same);
  frame.lanes &= ~same;
  if (frame.lanes == 0) {
    std::erase(frames_, &frame);
    pool_.give(&frame);
  }
  return result;
}

void CallStack::forget(LaneMask lanes) {
  for (std::size_t i = frames_.size(); i-- > 1;) {
    frames_[i]->lanes &= ~lanes;
    if (frames_[i]->lanes != 0) continue;
    pool_.give(frames_[i]);
    frames_.erase(frames_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace warpwise::simulator::run
