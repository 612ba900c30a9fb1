#include "undefined_values.hpp"

namespace warpwise::simulator::run {

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
