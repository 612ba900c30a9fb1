#include "undefined_values.hpp"

namespace warpwise::simulator::run {

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

void UndefinedValues::use_guard(Frame& frame, Pc pc, LaneMask lanes) {
  const Instruction& instruction = code_.instructions[pc];
  if (instruction.guard != no_row) use(frame, pc, instruction.guard, Width::pred, lanes, ValueUse::branch);
}

void UndefinedValues::define(Frame& frame, Row row, Width width, LaneMask lanes) {
  frame.undefined->define(row, width, lanes);
  frame.settle();
}

void UndefinedValues::define(Frame& frame, const LanePlace& place, LaneMask lanes) {
  frame.undefined->define(place, lanes);
  frame.settle();
}

}  // namespace warpwise::simulator::run
