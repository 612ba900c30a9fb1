/// \file Functions that the compiler did not inline: entering and leaving frames (PTX
/// ISA 9.7.12.5, 9.7.12.6).

#include <algorithm>
#include <cstring>

#include "block.hpp"
#include "worker.hpp"

namespace warpwise::simulator::machine {

namespace {

constexpr std::uint32_t max_depth = 512;
constexpr std::uint32_t max_local_bytes = 1 << 20;  // a lane

void copy_place(std::byte* to_rows, const LanePlace& to, const std::byte* from_rows, const LanePlace& from,
                LaneMask lanes) {
  const std::uint32_t bytes = std::min(to.bytes, from.bytes);
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::size_t lane = lowest(lanes);
    std::memcpy(to_rows + to.start + lane * to.stride, from_rows + from.start + lane * from.stride, bytes);
  }
}

}  // namespace

Warp::Next Warp::call(Group& group, const Instruction& instruction) {
  const Call& what = code_.calls[instruction.detail];
  switch (what.target) {
    case Call::Target::function:
      return call_function(group, what, what.function);
    case Call::Target::indirect:
      return call_indirect(group, what);
    case Call::Target::print:
      print(group, what);
      return Next::advance;
    case Call::Target::assertion:
      assertion(group, what);
      return Next::reschedule;
    case Call::Target::allocate:
      allocate(group, what);
      return Next::advance;
    case Call::Target::release:
      release(group, what);
      return Next::advance;
  }
  return Next::advance;
}

/// Lanes that call different functions part; each pointer must be a function's entry.
Warp::Next Warp::call_indirect(Group& group, const Call& call) {
  const std::uint64_t* pointers = row_of<std::uint64_t>(group.frame->rows, call.pointer);
  const std::uint64_t pointer = pointers[lowest(group.mask)];
  LaneMask same = 0;
  for (LaneMask rest = group.mask; rest != 0; rest &= rest - 1)
    if (pointers[lowest(rest)] == pointer) same |= lane_bit(lowest(rest));
  const std::vector<DecodedFunction>& functions = code_.functions;
  for (std::uint32_t i = 0; i < functions.size(); ++i) {
    const DecodedFunction& function = functions[i];
    if (function.function == nullptr || function.function->is_kernel ||
        pointer != function_window + function.entry || call.arguments.size() < function.formals.size())
      continue;
    if (same != group.mask) split_off(group, group.mask & ~same, group.pc);
    return call_function(group, call, i);
  }
  Fault fault;
  fault.kind = FaultKind::unsupported;
  fault.pc = group.pc;
  fault.lanes = same;
  fault.text = "a call through a pointer that is no function of this module";
  report(fault);
  return Next::reschedule;
}

Warp::Next Warp::call_function(Group& group, const Call& call, std::uint32_t function) {
  Frame* const caller = group.frame;
  const DecodedFunction& decoded = code_.functions[function];
  const std::uint32_t depth = caller->depth + 1;
  std::uint32_t local_top = 0;
  for (LaneMask rest = group.mask; rest != 0; rest &= rest - 1)
    local_top = std::max(local_top, caller->local_base[lowest(rest)]);
  local_top += caller->function->layout.local_bytes;
  if (depth > max_depth || local_top + decoded.layout.local_bytes > max_local_bytes) {
    Fault fault;
    fault.kind = FaultKind::stack;
    fault.pc = group.pc;
    fault.lanes = group.mask;
    report(fault);
    return Next::reschedule;
  }
  worker_.observers.on_run(context_, group.pc, group.pc, group.mask);
  ++executed_;
  const auto at = std::find_if(frames_.begin(), frames_.end(),
                               [&](const Frame* f) { return f->depth == depth && f->index == function; });
  Frame* frame = at != frames_.end() ? *at : nullptr;
  if (frame == nullptr) {
    frame = worker_.frames.take(function);
    frame->depth = depth;
    frame->lanes = 0;
    frames_.push_back(frame);
    prepare(*frame);
  }
  frame->lanes |= group.mask;
  if (const std::uint32_t needed = local_top + decoded.layout.local_bytes; needed > local_stride_) {
    const std::uint32_t stride = std::max(needed, std::min(max_local_bytes, 2 * local_stride_));
    std::vector<std::byte> grown(std::size_t{stride} * warp_size, poison);
    for (std::size_t lane = 0; lane < warp_size; ++lane)
      std::copy_n(local_.begin() + static_cast<std::ptrdiff_t>(lane * local_stride_), local_stride_,
                  grown.begin() + static_cast<std::ptrdiff_t>(lane * stride));
    local_ = std::move(grown);
    local_stride_ = stride;
  }
  for (LaneMask rest = group.mask; rest != 0; rest &= rest - 1) {
    const std::uint32_t lane = lowest(rest);
    frame->caller[lane] = caller;
    frame->call[lane] = &call;
    frame->return_pc[lane] = group.pc + 1;
    frame->local_base[lane] = local_top;
    if (decoded.layout.local_bytes != 0)
      std::memset(local_.data() + std::size_t{lane} * local_stride_ + local_top, std::to_integer<int>(poison),
                  decoded.layout.local_bytes);
    for (const FrameLayout::AddressRow& address : decoded.layout.local_addresses) {
      const std::uint64_t value = local_top + static_cast<std::uint64_t>(address.offset);
      if (address.width == Width::b64)
        row_of<std::uint64_t>(frame->rows, address.row)[lane] = value;
      else
        row_of<std::uint32_t>(frame->rows, address.row)[lane] = static_cast<std::uint32_t>(value);
    }
  }
  for (std::size_t i = 0; i < decoded.formals.size(); ++i)
    copy_place(frame->rows, decoded.formals[i], caller->rows, call.arguments[i], group.mask);
  if (schedule_ == Schedule::Kind::lockstep) meetings_.push_back({caller, group.pc + 1, group.mask});
  group.frame = frame;
  group.pc = decoded.entry;
  return Next::reschedule;
}

/// Lanes that came from different places part here.
Warp::Next Warp::return_from(Group& group) {
  Frame* const frame = group.frame;
  const std::uint32_t first = lowest(group.mask);
  Frame* const caller = frame->caller[first];
  const Pc to = frame->return_pc[first];
  const Call& call = *frame->call[first];
  LaneMask same = 0;
  for (LaneMask rest = group.mask; rest != 0; rest &= rest - 1)
    if (frame->caller[lowest(rest)] == caller && frame->return_pc[lowest(rest)] == to)
      same |= lane_bit(lowest(rest));
  worker_.observers.on_run(context_, group.pc, group.pc, same);
  ++executed_;
  if (same != group.mask) split_off(group, group.mask & ~same, group.pc);
  const std::size_t results = std::min(call.results.size(), frame->function->returns.size());
  for (std::size_t i = 0; i < results; ++i)
    copy_place(caller->rows, call.results[i], frame->rows, frame->function->returns[i], same);
  group.frame = caller;
  group.pc = to;
  frame->lanes &= ~same;
  if (frame->lanes == 0) {
    frames_.erase(std::find(frames_.begin(), frames_.end(), frame));
    worker_.frames.give(frame);
  }
  return Next::reschedule;
}

void Warp::leave_frames(LaneMask lanes) {
  for (std::size_t i = frames_.size(); i-- > 1;) {
    frames_[i]->lanes &= ~lanes;
    if (frames_[i]->lanes != 0) continue;
    worker_.frames.give(frames_[i]);
    frames_.erase(frames_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace warpwise::simulator::machine
